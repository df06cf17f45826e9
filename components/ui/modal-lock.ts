import { createContext, useContext, useLayoutEffect } from "react";

/** Lets the content of a modal keep it open; null outside of one. */
export const ModalLock = createContext<((isLocked: boolean) => void) | null>(null);

/** Keeps the modal around the component open while its request runs, so that its answer is seen. */
export function useModalLock(isLocked: boolean): void {
  const lock = useContext(ModalLock);
  useLayoutEffect(() => {
    lock?.(isLocked);
    return () => lock?.(false);
  }, [lock, isLocked]);
}
