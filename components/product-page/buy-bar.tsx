"use client";

import { useEffect, useState } from "react";
import { Button } from "@/components/ui/button";
import { Price } from "@/components/ui/price";

interface BuyBarProps {
  /** The id of the button that adds to the cart. */
  buttonId: string;
  /** Euros. */
  price: number;
}

/**
 * On phones, price and button at the bottom of the window while the button that adds to the cart is out of
 * view. It presses that button, which then scrolls its message into view.
 */
export function BuyBar({ buttonId, price }: BuyBarProps) {
  const [isShown, setShown] = useState(false);

  useEffect(() => {
    const button = document.getElementById(buttonId);
    if (!button) return;
    const observer = new IntersectionObserver(([entry]) => setShown(!entry?.isIntersecting), {
      // Below the header, and not behind the bar itself.
      rootMargin: "-64px 0px -72px 0px",
      threshold: 0.5,
    });
    observer.observe(button);
    return () => observer.disconnect();
  }, [buttonId]);

  if (!isShown) return null;
  return (
    <section
      aria-label="Acheter ce produit"
      className="buy-bar fixed inset-x-0 bottom-0 z-30 flex items-center justify-between gap-4 border-line border-t bg-bg px-gutter py-2.5 md:hidden print:hidden"
    >
      <Price euros={price} className="font-semibold text-lg" />
      <Button
        className="w-42"
        onClick={() => {
          const button = document.getElementById(buttonId);
          button?.scrollIntoView({ block: "center" });
          button?.click();
        }}
      >
        Ajouter
      </Button>
    </section>
  );
}
