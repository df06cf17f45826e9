"use client";

import Link from "next/link";
import { type ComponentProps, useState } from "react";

/**
 * A link that prefetches its page once a mouse points at it: not as soon as it is visible, and not
 * when touched, which may only be the start of scrolling (docs/decisions/045). `prefetch={false}`
 * turns that off.
 */
export function HoverPrefetchLink({
  prefetch,
  onPointerEnter,
  ...props
}: ComponentProps<typeof Link>) {
  const [isPointedAt, setIsPointedAt] = useState(false);
  return (
    <Link
      {...props}
      prefetch={prefetch ?? (isPointedAt && "auto")}
      onPointerEnter={(event) => {
        if (event.pointerType !== "touch") setIsPointedAt(true);
        onPointerEnter?.(event);
      }}
    />
  );
}
