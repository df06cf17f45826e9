"use client";

import {
  type ColumnDef,
  functionalUpdate,
  type OnChangeFn,
  type RowSelectionState,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from "@tanstack/react-table";
import { useMemo } from "react";
import type { ListOrder } from "@/lib/backoffice/view";
import type { CrudRow } from "./crud-entity";
import type { Column } from "./crud-field";

// The server sorts and paginates; the table keeps the selection.
const features = tableFeatures({ rowSelectionFeature, rowSortingFeature });

export interface CrudTableState<Row extends CrudRow> {
  columns: readonly Column<Row>[];
  /** Undefined until the rows are loaded. */
  rows: readonly Row[] | undefined;
  /** The rows belong to the previous view and are about to be replaced: none can be selected. */
  isPrevious: boolean;
  order: ListOrder | null;
  onOrder: (order: ListOrder | null) => void;
  selection: RowSelectionState;
  /** Absent if rows cannot be selected. */
  onSelect: OnChangeFn<RowSelectionState> | undefined;
}

/** The state of a list's table: its order and its selected rows. */
export function useCrudTable<Row extends CrudRow>({
  columns,
  rows,
  isPrevious,
  order,
  onOrder,
  selection,
  onSelect,
}: CrudTableState<Row>) {
  const definitions = useMemo(
    () =>
      columns.map<ColumnDef<typeof features, Row>>(({ id, label, orderBy, cell }) => ({
        id: orderBy ?? id,
        header: label,
        accessorFn: (row) => row.id,
        enableSorting: orderBy !== undefined,
        cell: ({ row }) => cell(row.original),
      })),
    [columns],
  );
  const table = useTable({
    features,
    columns: definitions,
    data: rows ?? [],
    getRowId: ({ id }) => String(id),
    manualSorting: true,
    enableMultiSort: false,
    enableRowSelection: !isPrevious,
    sortDescFirst: false,
    state: {
      sorting: order ? [{ id: order.field, desc: order.direction === "desc" }] : [],
      rowSelection: selection,
    },
    onSortingChange: (change) => {
      const [next] = functionalUpdate(change, table.state.sorting);
      onOrder(next ? { field: next.id, direction: next.desc ? "desc" : "asc" } : null);
    },
    onRowSelectionChange: onSelect,
  });
  return table;
}

export type CrudTableOf<Row extends CrudRow> = ReturnType<typeof useCrudTable<Row>>;
