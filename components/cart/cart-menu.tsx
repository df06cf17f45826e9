"use client";

import Link from "next/link";
import { type ComponentType, lazy, Suspense } from "react";
import { BagIcon } from "@/components/ui/icons";
import { Popover } from "@/components/ui/popover";
import { useSession } from "@/lib/browser/session";

// Code that not every page needs: the badge is loaded for visitors who are logged in, the mini-cart
// when it opens. If its script cannot be loaded, only the link is left.
const nothing = { default: () => null };
const CartBadge = lazy<ComponentType<{ token: string }>>(() =>
  import("@/components/cart/cart-badge").then(
    (module) => ({ default: module.CartBadge }),
    () => nothing,
  ),
);
const MiniCart = lazy<ComponentType>(() =>
  import("@/components/cart/mini-cart").then(
    (module) => ({ default: module.MiniCart }),
    () => nothing,
  ),
);

/** The header's link to the cart, with the mini-cart that opens from it. */
export function CartMenu() {
  return (
    <Popover label="Panier" className="sm:w-96" trigger={<CartLink />}>
      <Suspense fallback={<div className="h-40" />}>
        <MiniCart />
      </Suspense>
    </Popover>
  );
}

/** The link to the cart, with a badge over the bag's corner for visitors who are logged in. */
function CartLink() {
  const { token } = useSession();
  return (
    <Link
      href="/cart"
      prefetch={false}
      className="flex min-h-11 min-w-[44px] items-center justify-center gap-2 rounded-md hover:bg-surface @links:-mr-2.5 @wide:-mr-3 @wide:gap-5 @wide:px-3"
    >
      <span className="relative">
        <BagIcon size={22} />
        {token && (
          <Suspense>
            <CartBadge token={token} />
          </Suspense>
        )}
      </span>
      <span className="sr-only @wide:not-sr-only @wide:whitespace-nowrap">Voir le panier</span>
    </Link>
  );
}
