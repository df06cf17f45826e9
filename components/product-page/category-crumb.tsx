"use client";

import { useEffect, useState } from "react";
import { CrumbLink } from "@/components/ui/breadcrumb";
import { type CatalogueLabel, categoryUrl } from "@/lib/catalogue/rules";

interface CategoryCrumbProps {
  /** The link's target in the HTML, which is the same for everybody. */
  defaultCategory: CatalogueLabel;
  categories: readonly CatalogueLabel[];
}

/**
 * The breadcrumb's link back to the category that the visitor came from (`?category=3`), if the
 * product is in it. The page is cached without its query, which is read in the browser.
 */
export function CategoryCrumb({ defaultCategory, categories }: CategoryCrumbProps) {
  const [category, setCategory] = useState(defaultCategory);
  useEffect(() => {
    const id = Number(new URLSearchParams(window.location.search).get("category"));
    setCategory(categories.find((candidate) => candidate.id === id) ?? defaultCategory);
  }, [defaultCategory, categories]);
  return <CrumbLink href={categoryUrl(category)}>{category.name}</CrumbLink>;
}
