import { SelectField } from "@/components/ui/field";
import { Pagination } from "@/components/ui/pagination";
import type { RowPage } from "@/lib/backoffice/client";
import { type ListView, PAGE_SIZES } from "@/lib/backoffice/view";
import { formatNumber } from "@/lib/numbers";
import type { ViewChange } from "./use-crud-list";

interface CrudPagingProps<Row> {
  view: ListView;
  /** Undefined until the page is loaded. */
  data: RowPage<Row> | undefined;
  hrefOf: (view: ListView) => string;
  onChange: (change: ViewChange) => void;
}

/** Below the table: which rows it shows, its pages, and their size. */
export function CrudPaging<Row>({ view, data, hrefOf, onChange }: CrudPagingProps<Row>) {
  const pageCount = Math.max(Math.ceil((data?.total ?? 0) / view.pageSize), 1);
  return (
    <div className="flex flex-wrap items-center justify-between gap-4">
      {/* Announces to screen readers that a search or a filter has changed the rows. */}
      <p aria-live="polite" className="text-muted text-sm">
        {data && rangeText({ view, data })}
      </p>
      <Pagination
        page={Math.min(view.page, pageCount)}
        pageCount={pageCount}
        href={(page) => hrefOf({ ...view, page })}
        onSelect={(page) => onChange(() => ({ page }))}
      />
      <div className="flex items-center gap-2 print:hidden">
        <span aria-hidden="true" className="text-muted text-sm">
          Lignes par page
        </span>
        <SelectField
          label="Lignes par page"
          hideLabel
          className="w-20"
          value={String(view.pageSize)}
          onChange={({ target }) => onChange(() => ({ pageSize: Number(target.value) }))}
        >
          {PAGE_SIZES.map((size) => (
            <option key={size}>{size}</option>
          ))}
        </SelectField>
      </div>
    </div>
  );
}

function rangeText<Row>({ view, data }: { view: ListView; data: RowPage<Row> }): string {
  const first = (view.page - 1) * view.pageSize;
  if (data.rows.length === 0) return "0 résultat";
  // Not counted from the rows: until the next page arrives, they are those of the old page.
  const last = Math.min(first + view.pageSize, data.total);
  return `${formatNumber(first + 1)}–${formatNumber(last)} sur ${formatNumber(data.total)}`;
}
