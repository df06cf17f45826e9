"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { type ListView, parseView, queryOfView } from "@/lib/backoffice/view";
import type { Filter } from "./crud-entity";
import type { Column } from "./crud-field";

/** What changes of a view. Unless that is the page, it becomes the first one. */
export type ViewChange = (view: ListView) => Partial<ListView>;

/** The view in the URL. Changing it changes the URL, without a navigation. */
export function useListView<Row>({
  columns,
  filters,
}: {
  columns: readonly Column<Row>[];
  filters: readonly Filter[];
}) {
  const pathname = usePathname();
  const query = useSearchParams();
  const viewOf = (search: string) =>
    parseView({
      query: new URLSearchParams(search),
      fields: columns.flatMap(({ orderBy }) => orderBy ?? []),
      filters: filters.map(({ name }) => name),
    });
  const hrefOf = (next: ListView) => `${pathname}${queryOfView(next)}`;
  return {
    view: viewOf(query.toString()),
    hrefOf,
    setView: (change: ViewChange, isTyping: boolean) => {
      // The URL may be ahead of what React has rendered.
      const previous = viewOf(window.location.search);
      const url = hrefOf({ ...previous, page: 1, ...change(previous) });
      // A search is one entry in the browser's history, however many keys were pressed.
      if (isTyping && window.location.search.includes("search="))
        window.history.replaceState(null, "", url);
      else window.history.pushState(null, "", url);
    },
  };
}
