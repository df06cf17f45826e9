// The state of a table of the back office: page, search, order, filters. It is kept in the page's URL, so
// that a view can be shared and reloaded. The page's URL and the API's URL use the same parameters.

export const PAGE_SIZES = [10, 25, 50, 100] as const;
const DEFAULT_PAGE_SIZE = 25;

export interface ListOrder {
  /** The field's name in the API. */
  field: string;
  direction: "asc" | "desc";
}

export interface ListView {
  /** From 1. */
  page: number;
  pageSize: number;
  search: string;
  /** Null for newest first. */
  order: ListOrder | null;
  /** Chosen values by the API's parameter names; filters without a value are absent. */
  filters: Readonly<Record<string, string>>;
}

/** The view of a URL's query; unknown values are ignored. */
export function parseView({
  query,
  fields,
  filters,
}: {
  query: URLSearchParams;
  /** Sortable fields. */
  fields: readonly string[];
  /** Names of the table's filters. */
  filters: readonly string[];
}): ListView {
  const page = Number(query.get("page"));
  const pageSize = Number(query.get("itemsPerPage"));
  const field = fields.find((name) => query.has(`order[${name}]`));
  const chosen = filters.flatMap((name) => {
    const value = query.get(name)?.trim();
    return value ? [[name, value] as const] : [];
  });
  return {
    page: Number.isInteger(page) && page > 0 && page < 1e9 ? page : 1,
    pageSize: PAGE_SIZES.find((size) => size === pageSize) ?? DEFAULT_PAGE_SIZE,
    search: query.get("search")?.trim() ?? "",
    order:
      field === undefined
        ? null
        : { field, direction: query.get(`order[${field}]`) === "desc" ? "desc" : "asc" },
    filters: Object.fromEntries(chosen),
  };
}

/** The query of a view's URL, with "?"; empty for the default view. */
export function queryOfView(view: ListView): string {
  const query = filterQuery(view);
  if (view.order) query.set(`order[${view.order.field}]`, view.order.direction);
  if (view.page > 1) query.set("page", String(view.page));
  if (view.pageSize !== DEFAULT_PAGE_SIZE) query.set("itemsPerPage", String(view.pageSize));
  return query.size === 0 ? "" : `?${readable(query)}`;
}

/** The API's URL of a view's rows. */
export function rowsUrl({ path, view }: { path: string; view: ListView }): string {
  const query = orderedQuery(view);
  query.set("page", String(view.page));
  query.set("itemsPerPage", String(view.pageSize));
  return `${path}?${readable(query)}`;
}

/** The API's URL of a view's rows on all pages. */
export function exportUrl({ path, view }: { path: string; view: ListView }): string {
  return `${path}?${readable(orderedQuery(view))}`;
}

function filterQuery({ search, filters }: ListView): URLSearchParams {
  const query = new URLSearchParams(filters);
  if (search) query.set("search", search);
  return query;
}

function orderedQuery(view: ListView): URLSearchParams {
  const query = filterQuery(view);
  const { field, direction } = view.order ?? { field: "id", direction: "desc" };
  query.set(`order[${field}]`, direction);
  return query;
}

/** Unescaped brackets are allowed in a query, and readable. */
const readable = (query: URLSearchParams) =>
  query.toString().replaceAll("%5B", "[").replaceAll("%5D", "]");
