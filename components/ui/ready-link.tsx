"use client";

import Link from "next/link";
import { type ComponentProps, useState } from "react";

/**
 * A link whose page is loaded ahead once a mouse points at it, not wherever it is in sight, and not
 * where a finger touches it, which may only begin to scroll there (docs/decisions/045).
 * `prefetch={false}` loads nothing in any case.
 */
export function ReadyLink({ prefetch, onPointerEnter, ...props }: ComponentProps<typeof Link>) {
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
