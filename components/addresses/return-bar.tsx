"use client";

import Link from "next/link";
import { useEffect, useState } from "react";
import { ChevronLeftIcon } from "@/components/ui/icons";
import { returnPathOf } from "@/lib/guards";

/** The way back to the checkout, whose link to this page has `?retour=/checkout`. */
export function ReturnBar() {
  const [isShown, setIsShown] = useState(false);
  useEffect(() => {
    // In an effect, since everybody gets the same stored page.
    setIsShown(returnPathOf(window.location.search) === "/checkout");
  }, []);
  if (!isShown) return null;
  return (
    <Link
      href="/checkout"
      prefetch={false}
      className="flex min-h-14 items-center gap-2 rounded-lg bg-accent-soft px-4 font-medium text-accent hover:underline"
    >
      <ChevronLeftIcon size={18} />
      Revenir à ma commande
    </Link>
  );
}
