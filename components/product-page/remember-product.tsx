"use client";

import { useEffect } from "react";
import { rememberProduct } from "@/lib/catalogue/recently-viewed";

/** Adds the product to the recently viewed ones. Renders nothing. */
export function RememberProduct({ id }: { id: number }) {
  useEffect(() => rememberProduct(id), [id]);
  return null;
}
