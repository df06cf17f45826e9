"use client";

import { useEffect } from "react";

type CategoryCrumbProps = {
  /** Where the breadcrumb's category link leads in the HTML, which is the same for everybody. */
  defaultHref: string;
  categories: readonly { id: number; name: string }[];
};

/**
 * Leads the breadcrumb back to the category that the visitor came from (`?category=3`), where the
 * product is in it. The page is cached and knows no query, so this changes the link in place.
 */
export function CategoryCrumb({ defaultHref, categories }: CategoryCrumbProps) {
  useEffect(() => {
    const id = Number(new URLSearchParams(window.location.search).get("category"));
    const category = categories.find((candidate) => candidate.id === id);
    const link = document.querySelector<HTMLAnchorElement>(`nav a[href="${defaultHref}"]`);
    if (!category || !link) return;
    link.href = `/products?category=${category.id}`;
    link.textContent = category.name;
  }, [defaultHref, categories]);
  return null;
}
