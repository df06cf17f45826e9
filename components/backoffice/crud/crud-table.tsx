"use client";

import clsx from "clsx";
import { ArrowDown, ArrowUp, ArrowUpDown } from "lucide-react";
import type { ReactNode } from "react";
import { TABLE_ROLES } from "@/components/ui/table-roles";
import { RowName } from "./cells";
import type { CrudRow } from "./crud-entity";
import type { Column } from "./crud-field";
import { type CrudTableOf, type CrudTableState, useCrudTable } from "./use-crud-table";

interface CrudTableProps<Row extends CrudRow> extends CrudTableState<Row> {
  caption: string;
  /** Shown instead of rows: a spinner, or the sentence that there are none. */
  placeholder: ReactNode;
  isStale: boolean;
  isBusy: (id: number) => boolean;
  nameOf: (row: Row) => string;
  /** Absent if the rows have no actions. */
  actions: ((row: Row) => ReactNode) | undefined;
}

/** Dense, with a sticky header; below 64rem each row is a card. */
export function CrudTable<Row extends CrudRow>(props: CrudTableProps<Row>) {
  const { caption, columns, placeholder, isStale, onSelect, isBusy, nameOf, actions } = props;
  const table = useCrudTable(props);
  const shown = table.getRowModel().rows;
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: lets the keyboard scroll the table
      tabIndex={0}
      aria-label={caption}
      aria-busy={isStale}
      className={clsx(
        shown.length === 0 && "@container",
        "isolate lg:scroll-pt-12 lg:scroll-pr-68 lg:max-h-[calc(100dvh-6rem)] lg:min-h-0 lg:overflow-auto lg:rounded-md lg:border lg:border-line print:max-h-none print:overflow-visible",
      )}
    >
      {isStale && (
        <div className="sticky top-0 left-0 z-30 -mb-0.5 h-0.5 w-full animate-shimmer bg-accent" />
      )}
      <table
        {...TABLE_ROLES.table}
        className="block w-full border-collapse text-left text-sm lg:table"
        aria-label={caption}
      >
        <Head
          table={table}
          isSelectable={onSelect !== undefined}
          hasActions={actions !== undefined}
        />
        <tbody
          {...TABLE_ROLES.group}
          className="grid gap-3 md:grid-cols-2 md:max-lg:items-start lg:table-row-group"
        >
          {shown.length === 0 && (
            <tr {...TABLE_ROLES.row} className="block md:col-span-2 lg:table-row">
              <td
                {...TABLE_ROLES.cell}
                colSpan={columns.length + (actions ? 1 : 0)}
                className="block border-line border-t text-center text-muted lg:table-cell"
              >
                {/* As wide as the visible part of a table that scrolls. */}
                <div className="sticky left-0 w-[100cqw] px-4 py-12">{placeholder}</div>
              </td>
            </tr>
          )}
          {shown.map((row) => (
            <TableRow
              key={row.id}
              table={table}
              row={row}
              columns={columns}
              isSelectable={onSelect !== undefined}
              isBusy={isBusy(row.original.id)}
              name={nameOf(row.original)}
            >
              {actions?.(row.original)}
            </TableRow>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const ARIA_SORT = { asc: "ascending", desc: "descending" } as const;

function Head<Row extends CrudRow>({
  table,
  isSelectable,
  hasActions,
}: {
  table: CrudTableOf<Row>;
  isSelectable: boolean;
  hasActions: boolean;
}) {
  const [headings] = table.getHeaderGroups();
  const { rows } = table.getRowModel();
  return (
    <thead {...TABLE_ROLES.group} className="hidden lg:table-header-group">
      <tr {...TABLE_ROLES.row}>
        {headings?.headers.map(({ column }, index) => {
          const label = String(column.columnDef.header);
          const direction = column.getIsSorted();
          return (
            <th
              key={column.id}
              {...TABLE_ROLES.heading}
              scope="col"
              // The label of the first heading leaves out the heading's checkbox.
              aria-label={index === 0 ? label : undefined}
              aria-sort={direction ? ARIA_SORT[direction] : undefined}
              className="sticky top-0 z-10 whitespace-nowrap print:static bg-surface px-2.5 py-2.5 font-medium text-muted"
            >
              <span className="flex items-center gap-2">
                {index === 0 && isSelectable && (
                  <input
                    type="checkbox"
                    aria-label="Tout sélectionner"
                    className="size-4 accent-accent print:hidden"
                    disabled={!rows.some((row) => row.getCanSelect())}
                    ref={(box) => {
                      const isPartlySelected =
                        table.getIsSomeRowsSelected() && !table.getIsAllRowsSelected();
                      if (box) box.indeterminate = isPartlySelected;
                    }}
                    checked={rows.length > 0 && table.getIsAllRowsSelected()}
                    onChange={table.getToggleAllRowsSelectedHandler()}
                  />
                )}
                {column.getCanSort() ? (
                  <button
                    type="button"
                    onClick={() => column.toggleSorting()}
                    className="-mx-1 flex items-center gap-1 rounded-sm px-1 hover:text-ink"
                  >
                    <span>{label}</span>
                    <OrderIcon direction={direction} />
                  </button>
                ) : (
                  <span>{label}</span>
                )}
              </span>
            </th>
          );
        })}
        {hasActions && (
          <th
            {...TABLE_ROLES.heading}
            scope="col"
            className="sticky top-0 right-0 z-20 bg-surface px-2.5 py-2.5 font-medium text-muted shadow-[inset_1px_0_0_var(--color-line)] print:hidden"
          >
            Actions
          </th>
        )}
      </tr>
    </thead>
  );
}

interface TableRowProps<Row extends CrudRow> {
  table: CrudTableOf<Row>;
  row: ReturnType<CrudTableOf<Row>["getRowModel"]>["rows"][number];
  columns: readonly Column<Row>[];
  isSelectable: boolean;
  isBusy: boolean;
  name: string;
  /** The row's actions, if any. */
  children: ReactNode | undefined;
}

function TableRow<Row extends CrudRow>({
  table,
  row,
  columns,
  isSelectable,
  isBusy,
  name,
  children,
}: TableRowProps<Row>) {
  const isSelected = row.getIsSelected();
  return (
    <tr
      {...TABLE_ROLES.row}
      aria-busy={isBusy || undefined}
      data-selected={isSelected || undefined}
      className={clsx(
        "group grid min-w-0 grid-cols-[minmax(7rem,auto)_1fr] gap-x-4 gap-y-2 break-inside-avoid rounded-md border border-line p-4 lg:table-row lg:border-0",
        isSelected ? "bg-accent-soft" : "bg-bg lg:hover:bg-surface",
      )}
    >
      {row.getAllCells().map((cell, index) => {
        const column = columns[index];
        return (
          <td
            key={cell.id}
            {...TABLE_ROLES.cell}
            data-label={column?.label}
            className={clsx(
              "col-span-2 grid min-w-0 grid-cols-subgrid break-words before:text-muted before:content-[attr(data-label)] lg:table-cell lg:border-line lg:border-t lg:px-2.5 lg:py-2.5 lg:align-top lg:before:content-none",
              column?.className,
            )}
          >
            {index === 0 && isSelectable ? (
              <label className="flex w-fit items-center gap-2 tabular-nums">
                <input
                  type="checkbox"
                  aria-label={`Sélectionner ${row.id}`}
                  aria-description={name}
                  className="size-4 accent-accent print:hidden"
                  disabled={!row.getCanSelect()}
                  checked={isSelected}
                  onChange={row.getToggleSelectedHandler()}
                />
                <table.FlexRender cell={cell} />
              </label>
            ) : (
              <div className="min-w-0 [overflow-wrap:anywhere] lg:[overflow-wrap:break-word]">
                <table.FlexRender cell={cell} />
              </div>
            )}
          </td>
        );
      })}
      {children !== undefined && (
        <td
          {...TABLE_ROLES.cell}
          className={clsx(
            "col-span-2 flex justify-end border-line border-t pt-2 lg:sticky lg:right-0 lg:table-cell lg:px-2 lg:py-1.5 lg:align-top lg:shadow-[inset_1px_0_0_var(--color-line)] print:hidden",
            isSelected ? "bg-accent-soft" : "bg-bg lg:group-hover:bg-surface",
          )}
        >
          <div className="flex items-center justify-end">
            <RowName value={name}>{children}</RowName>
          </div>
        </td>
      )}
    </tr>
  );
}

function OrderIcon({ direction }: { direction: false | "asc" | "desc" }) {
  const Icon = direction === "asc" ? ArrowUp : direction === "desc" ? ArrowDown : ArrowUpDown;
  return (
    <Icon
      size={14}
      aria-hidden="true"
      className={clsx(!direction && "text-line-strong print:hidden")}
    />
  );
}
