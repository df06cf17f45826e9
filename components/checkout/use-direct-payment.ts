import { useEffect, useEffectEvent, useState } from "react";
import { takeAtPayment } from "@/lib/cart/open-checkout";

/**
 * Opens the payment of a checkout that was opened at the payment, once everything is loaded.
 *
 * @param open does nothing where the buyer has to choose something first
 * @returns whether the payment is about to open
 */
export function useDirectPayment({
  isLoaded,
  open,
}: {
  isLoaded: boolean;
  open: () => Promise<void>;
}): boolean {
  const [isWanted, setIsWanted] = useState(false);
  useEffect(() => setIsWanted(takeAtPayment()), []);

  const openNow = useEffectEvent(async () => {
    try {
      await open();
    } finally {
      setIsWanted(false);
    }
  });
  useEffect(() => {
    if (isWanted && isLoaded) void openNow();
  }, [isWanted, isLoaded]);

  return isWanted;
}
