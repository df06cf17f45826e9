"use client";

import clsx from "clsx";
import {
  type FocusEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from "react";

interface PopoverProps {
  /** The link or button that the panel hangs from. */
  trigger: ReactNode;
  /** Names the panel for screen readers. */
  label: string;
  /** The panel's content, which exists only while it is open. */
  children: ReactNode;
  onOpen?: () => void;
  className?: string;
}

/**
 * A panel that opens when its trigger is pointed at with a mouse or focused with the keyboard, stays
 * while pointer or focus are inside, and closes on Escape (WCAG 1.4.13). A finger does not open
 * it: a touch on the trigger simply follows the link.
 */
export function Popover({ trigger, label, children, onOpen, className }: PopoverProps) {
  const [open, setOpen] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  function change(next: boolean, delay = 0) {
    clearTimeout(timer.current);
    if (next === open) return;
    timer.current = setTimeout(() => {
      setOpen(next);
      if (next) onOpen?.();
    }, delay);
  }

  useEffect(() => {
    if (!open) return;
    // On the document, since the focus is elsewhere while the pointer keeps the panel open.
    function onKeyDown(event: KeyboardEvent) {
      if (event.key === "Escape") setOpen(false);
    }
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [open]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: listens to what happens to its content
    <div
      className="relative"
      onPointerEnter={(event: PointerEvent) => {
        if (event.pointerType === "mouse") change(true, 80);
      }}
      onPointerLeave={(event: PointerEvent) => {
        if (event.pointerType === "mouse") change(false, 200);
      }}
      onFocus={(event: FocusEvent) => {
        if (event.target.matches(":focus-visible")) change(true);
      }}
      onBlur={(event: FocusEvent) => {
        if (!event.currentTarget.contains(event.relatedTarget)) change(false);
      }}
    >
      {trigger}
      {open && (
        // The padding bridges the gap to the trigger, so that the pointer can cross it.
        <div className="absolute top-full right-0 z-50 pt-2">
          <section
            aria-label={label}
            className={clsx(
              "overflow-hidden rounded-lg border border-line bg-bg shadow-overlay",
              className,
            )}
          >
            {children}
          </section>
        </div>
      )}
    </div>
  );
}
