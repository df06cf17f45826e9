"use client";

import { lazy } from "react";

/** Loaded on the pages of sold-out products only. */
const AlertForm = lazy(async () => {
  const module = await import("@/components/stock-alerts/alert-form");
  return { default: module.AlertForm };
});

/** Asks for a mail when a sold-out product is back in stock. */
export const AlertRequest = ({ productId }: { productId: number }) => (
  <AlertForm productId={productId} />
);
