"use client";

import { type ComponentType, lazy } from "react";

/** Loaded on the pages of sold-out products only. If that fails, the page does without. */
const AlertForm = lazy<ComponentType<{ productId: number }>>(() =>
  import("@/components/stock-alerts/alert-form").then(
    (module) => ({ default: module.AlertForm }),
    () => ({ default: () => null }),
  ),
);

/** Asks for a mail when a sold-out product is back in stock. */
export const AlertRequest = ({ productId }: { productId: number }) => (
  <AlertForm productId={productId} />
);
