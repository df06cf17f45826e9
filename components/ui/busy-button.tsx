"use client";

import { type ComponentProps, useImperativeHandle, useLayoutEffect, useRef } from "react";

interface BusyButtonProps extends ComponentProps<"button"> {
  busy: boolean;
}

/**
 * A `<button>` that is disabled while it is busy. Browsers blur disabled elements: it gets the focus
 * back afterwards, unless another element has it by then.
 */
export function BusyButton({ ref, busy, disabled, ...props }: BusyButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const hadFocus = useRef(false);
  useImperativeHandle(ref, () => button.current as HTMLButtonElement, []);

  // The browser blurs it in the next frame.
  useLayoutEffect(() => {
    if (busy) hadFocus.current = document.activeElement === button.current;
    else if (hadFocus.current) {
      hadFocus.current = false;
      if (document.activeElement === document.body) button.current?.focus({ preventScroll: true });
    }
  }, [busy]);

  return (
    <button {...props} ref={button} disabled={disabled || busy} aria-busy={busy || undefined} />
  );
}
