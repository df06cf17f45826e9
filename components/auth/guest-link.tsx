"use client";

import type { ComponentProps } from "react";
import { useReturnPath } from "@/components/auth/use-return-path";
import { HoverPrefetchLink } from "@/components/ui/hover-prefetch-link";
import { guestUrl } from "@/lib/guards";

interface GuestLinkProps extends Omit<ComponentProps<typeof HoverPrefetchLink>, "href"> {
  href: string;
}

/** A link to another page for guests. Hands on the page that the visitor wanted before the login. */
export function GuestLink({ href, prefetch, ...props }: GuestLinkProps) {
  const returnTo = useReturnPath();
  return (
    <HoverPrefetchLink
      {...props}
      href={guestUrl(href, returnTo)}
      // Only the page's own URL is stored.
      prefetch={returnTo === null ? prefetch : false}
    />
  );
}
