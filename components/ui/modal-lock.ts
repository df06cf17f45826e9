import { createContext, useContext, useLayoutEffect } from "react";

/** Lets the content of a modal keep it open; null outside of one. */
export const ModalLock = createContext<((isLocked: boolean) => void) | null>(null);

/** Keeps the surrounding modal open while a request runs, so that the user sees the response. */
export function useModalLock(isLocked: boolean): void {
  const lock = useContext(ModalLock);
  useLayoutEffect(() => {
    lock?.(isLocked);
    return () => lock?.(false);
  }, [lock, isLocked]);
}
