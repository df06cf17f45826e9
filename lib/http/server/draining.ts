import { perProcess } from "@/lib/runtime/per-process";

const state = perProcess("draining", () => ({ isDraining: false }));

/** From now on this process reports that it is not ready. */
export function startDraining(): void {
  state.isDraining = true;
}

/** Is this process shutting down? */
export const isDraining = (): boolean => state.isDraining;
