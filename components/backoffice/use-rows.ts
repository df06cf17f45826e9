"use client";

import { useEffect } from "react";
import useSWR from "swr";
import type { ApiError } from "@/lib/api-error";
import { listRows, type RowPage } from "@/lib/backoffice/client";
import { type ListView, rowsUrl } from "@/lib/backoffice/view";

/** A page of rows, and the URL it was loaded from. */
type LoadedPage<Row> = RowPage<Row> & { url: string };

async function loadPage<Row>(url: string): Promise<LoadedPage<Row>> {
  return { ...(await listRows<Row>(url)), url };
}

interface RowsOptions {
  path: string;
  view: ListView;
  hrefOf: (view: ListView) => string;
}

/** The rows of a view. Past the last page the URL becomes that of the last one. */
export function useRows<Row>({ path, view, hrefOf }: RowsOptions) {
  const url = rowsUrl({ path, view });
  const {
    data: latest,
    error,
    isValidating,
    mutate,
  } = useSWR<LoadedPage<Row>, ApiError>(url, loadPage<Row>, {
    keepPreviousData: true,
    shouldRetryOnError: false,
  });
  const isCurrent = latest?.url === url;
  const hasFailed = Boolean(error && !error.isSessionOver && !isCurrent);
  const isPastEnd = latest !== undefined && latest.rows.length === 0 && latest.total > 0;

  const lastPageHref =
    isPastEnd && isCurrent ? hrefOf({ ...view, page: lastPage({ view, data: latest }) }) : null;
  useEffect(() => {
    if (lastPageHref) window.history.replaceState(null, "", lastPageHref);
  }, [lastPageHref]);

  return {
    // The previous rows are shown until the next ones arrive, unless these cannot be loaded.
    data: hasFailed || isPastEnd ? undefined : latest,
    hasFailed,
    isValidating,
    /** Fetches them again. */
    reload: async () => (await mutate())?.rows ?? [],
  };
}

/**
 * The last page, to go to from a page past the end. A very large total is an estimate: if even its
 * last page is past the end, the first one.
 */
function lastPage<Row>({ view, data }: { view: ListView; data: RowPage<Row> }): number {
  const last = Math.ceil(data.total / view.pageSize);
  return last < view.page ? last : 1;
}
