"use client";

import { useLoaded } from "@/components/ui/use-loaded";
import { countOpenWithdrawals, OPEN_WITHDRAWALS } from "@/lib/withdrawals/admin-client";

/** The number of withdrawals to settle, in the menu; nothing if there are none or the number is unknown. */
export function OpenWithdrawals() {
  const { data } = useLoaded(OPEN_WITHDRAWALS, countOpenWithdrawals);
  if (!data) return null;
  return (
    <span className="ml-auto rounded-full bg-surface-strong px-2 text-ink text-xs tabular-nums leading-5">
      <span>{data}</span>
      <span className="sr-only"> à régler</span>
    </span>
  );
}
