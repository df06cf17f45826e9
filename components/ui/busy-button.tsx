"use client";

import { type ComponentProps, useImperativeHandle, useLayoutEffect, useRef } from "react";

interface BusyButtonProps extends ComponentProps<"button"> {
  busy: boolean;
}

/**
 * A `<button>` that is disabled while it is busy. Browsers blur disabled elements: the button takes the
 * focus back afterwards, unless another element has the focus by then.
 */
export function BusyButton({ ref, busy, disabled, onFocus, onBlur, ...props }: BusyButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const hadFocus = useRef(false);
  useImperativeHandle(ref, () => button.current as HTMLButtonElement, []);

  useLayoutEffect(() => {
    if (busy) return;
    if (hadFocus.current && document.activeElement === document.body)
      button.current?.focus({ preventScroll: true });
    hadFocus.current = document.activeElement === button.current;
  }, [busy]);

  return (
    <button
      {...props}
      ref={button}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      onFocus={(event) => {
        hadFocus.current = true;
        onFocus?.(event);
      }}
      onBlur={(event) => {
        // Only a blur by the user counts: the browser's own blur happens while the button is disabled.
        if (!event.currentTarget.disabled) hadFocus.current = false;
        onBlur?.(event);
      }}
    />
  );
}
