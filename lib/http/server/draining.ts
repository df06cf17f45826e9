import type { Step } from "@/lib/http/server/exchange";
import { perProcess } from "@/lib/per-process";

const state = perProcess("draining", () => ({ isDraining: false }));

/** From now on this process reports that it is not ready. */
export function startDraining(): void {
  state.isDraining = true;
}

/** Is this process shutting down? */
export const isDraining = (): boolean => state.isDraining;

/** While the process is shutting down, has the client open its next connection to another instance. */
export const closeWhileDraining: Step = ({ response }, next) => {
  if (isDraining()) response.setHeader("Connection", "close");
  next();
};
