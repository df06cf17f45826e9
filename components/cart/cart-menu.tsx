"use client";

import { type ComponentType, lazy, type ReactNode, Suspense } from "react";
import { Popover } from "@/components/ui/popover";
import { useSession } from "@/lib/browser-session";

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
export function CartMenu({ link }: { link: ReactNode }) {
  return (
    <Popover label="Panier" className="sm:w-96" trigger={link}>
      <Suspense fallback={<div className="h-40" />}>
        <MiniCart />
      </Suspense>
    </Popover>
  );
}

/** The badge, for visitors who are logged in. */
export function CartBadgeSlot() {
  const { token } = useSession();
  return token ? (
    <Suspense>
      <CartBadge token={token} />
    </Suspense>
  ) : null;
}
