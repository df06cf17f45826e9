import Link from "next/link";
import type { ReactNode } from "react";
import { BagIcon } from "@/components/ui/icons";

/** The link to the cart. `badge` is placed over the bag's corner. */
export function CartLink({ badge }: { badge?: ReactNode }) {
  return (
    <Link
      href="/cart"
      prefetch={false}
      className="flex min-h-11 min-w-11 items-center justify-center gap-2 rounded-md hover:bg-surface @links:-mr-2.5 @wide:-mr-3 @wide:gap-4 @wide:px-3"
    >
      <span className="relative">
        <BagIcon size={22} />
        {badge}
      </span>
      <span className="sr-only @wide:not-sr-only @wide:whitespace-nowrap">Voir le panier</span>
    </Link>
  );
}
