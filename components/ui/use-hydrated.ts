import { useSyncExternalStore } from "react";

const never = () => () => {};

/** False in the server's HTML and until the page's script runs, then true. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
