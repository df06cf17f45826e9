"use client";

import type { RowSelectionState } from "@tanstack/react-table";
import { usePathname, useSearchParams } from "next/navigation";
import { useEffect, useMemo, useState } from "react";
import useSWR from "swr";
import type { ApiError } from "@/lib/api-error";
import { listRows, type RowPage } from "@/lib/backoffice/client";
import { type ListView, parseView, queryOfView, rowsUrl } from "@/lib/backoffice/view";
import type { CrudRow, ListEntity } from "./crud-entity";
import { columnsOf } from "./crud-field";

/** A change of the view. Unless it sets the page, the view starts at the first page. */
export type ViewChange = (view: ListView) => Partial<ListView>;

/** The rows of the view in the URL, and the selected rows. */
export function useCrudList<Row extends CrudRow>({ path, fields, filters }: ListEntity<Row>) {
  const columns = useMemo(() => columnsOf<Row>(fields), [fields]);
  const pathname = usePathname();
  const viewOf = (search: string) =>
    parseView({
      query: new URLSearchParams(search),
      fields: columns.flatMap(({ orderBy }) => orderBy ?? []),
      filters: filters.map(({ name }) => name),
    });
  const hrefOf = (next: ListView) => `${pathname}${queryOfView(next)}`;
  const view = viewOf(useSearchParams().toString());
  const { reload, ...list } = useRows<Row>({ path, view, hrefOf });
  const [selection, setSelection] = useState<RowSelectionState>({});

  return {
    columns,
    view,
    hrefOf,
    list,
    selection,
    setSelection,
    selected: list.data?.rows.filter(({ id }) => selection[id]) ?? [],
    /**
     * Changes the URL, without a navigation. With `isTyping`, the change gets no entry of its own in the
     * browser's history.
     */
    change: (to: ViewChange, isTyping = false) => {
      setSelection({});
      // Read from the URL, which may be ahead of what React has rendered.
      const previous = viewOf(window.location.search);
      const url = hrefOf({ ...previous, page: 1, ...to(previous) });
      // A search is one entry in the browser's history, however many keys were pressed.
      if (isTyping && window.location.search.includes("search="))
        window.history.replaceState(null, "", url);
      else window.history.pushState(null, "", url);
    },
    reload: async () => {
      const remaining = ((await reload())?.rows ?? []).map(({ id }) => [id, true] as const);
      setSelection((previous) => Object.fromEntries(remaining.filter(([id]) => previous[id])));
    },
  };
}

interface RowsOptions {
  path: string;
  view: ListView;
  hrefOf: (view: ListView) => string;
}

/** The rows of a view. Past the last page, the URL changes to the last page. */
function useRows<Row>({ path, view, hrefOf }: RowsOptions) {
  const url = rowsUrl({ path, view });
  const {
    data: latest,
    error,
    isValidating,
    mutate,
  } = useSWR<RowPage<Row> & { url: string }, ApiError>(
    url,
    async () => ({ ...(await listRows<Row>(url)), url }),
    { keepPreviousData: true, shouldRetryOnError: false },
  );
  const isCurrent = latest?.url === url;
  const hasFailed = Boolean(error && !error.isSessionOver && !isCurrent);
  const isPastEnd = latest !== undefined && latest.rows.length === 0 && latest.total > 0;

  const lastPageHref =
    isPastEnd && isCurrent ? hrefOf({ ...view, page: lastPage(view, latest.total) }) : null;
  useEffect(() => {
    if (lastPageHref) window.history.replaceState(null, "", lastPageHref);
  }, [lastPageHref]);

  return {
    // Shows the previous rows until the next rows arrive, unless loading the next rows fails.
    data: hasFailed || isPastEnd ? undefined : latest,
    /** The rows belong to the previous view. */
    isPrevious: latest !== undefined && !isCurrent,
    hasFailed,
    isValidating,
    reload: () => mutate(),
  };
}

/**
 * The last page, for a view past the end. A very large total is an estimate: if even its last page is past
 * the end, the first page.
 */
function lastPage({ page, pageSize }: ListView, total: number): number {
  const last = Math.ceil(total / pageSize);
  return last < page ? last : 1;
}
