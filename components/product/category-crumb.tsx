"use client";

import { useEffect, useState } from "react";
import { CrumbLink } from "@/components/ui/breadcrumb";
import { categoryAddress } from "@/lib/catalogue/rules";

interface Category {
  id: number;
  name: string;
}

interface CategoryCrumbProps {
  /** Where the link leads in the HTML, which is the same for everybody. */
  usual: Category;
  categories: readonly Category[];
}

/**
 * The breadcrumb's way back to the category that the visitor came from (`?category=3`), where the
 * product is in it. The page is cached and knows no query: the browser reads it.
 */
export function CategoryCrumb({ usual, categories }: CategoryCrumbProps) {
  const [category, setCategory] = useState(usual);
  useEffect(() => {
    const id = Number(new URLSearchParams(window.location.search).get("category"));
    setCategory(categories.find((candidate) => candidate.id === id) ?? usual);
  }, [usual, categories]);
  return <CrumbLink href={categoryAddress(category)}>{category.name}</CrumbLink>;
}
