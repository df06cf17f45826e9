"use client";

import clsx from "clsx";
import { type MouseEvent, type ReactNode, useEffect, useRef, useState } from "react";

interface PopoverProps {
  /** The link or button that opens the panel. */
  trigger: ReactNode;
  /** Names the panel for screen readers. */
  label: string;
  /** The panel's content, which exists only while it is open. */
  children: ReactNode;
  className?: string;
}

/**
 * A panel that opens when its trigger is hovered with a mouse or focused with the keyboard, stays
 * open while pointer or focus are inside, and closes on Escape (WCAG 1.4.13). The first tap on the
 * trigger opens it, too; a second tap follows the link. On a small screen the panel has the width of
 * the viewport.
 */
export function Popover({ trigger, label, children, className }: PopoverProps) {
  const [open, setOpen] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const root = useRef<HTMLDivElement>(null);
  const pointer = useRef("");

  function schedule(next: boolean, delay = 0) {
    clearTimeout(timer.current);
    if (next !== open) timer.current = setTimeout(() => setOpen(next), delay);
  }

  useEffect(() => () => clearTimeout(timer.current), []);

  useEffect(() => {
    if (!open) return;
    // Listens on the document: the focus is elsewhere while the pointer keeps the panel open.
    function onKeyDown(event: KeyboardEvent) {
      if (event.key !== "Escape") return;
      // Unmounting the panel would lose the focus inside it. The trigger gets the focus first, while the
      // panel is still open: otherwise the focus would open it again. Not while the mouse hovers over it.
      if (root.current?.matches(":not(:hover):focus-within"))
        root.current.querySelector<HTMLElement>("a, button")?.focus();
      setOpen(false);
    }
    function onPointerDown(event: Event) {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    }
    document.addEventListener("keydown", onKeyDown);
    document.addEventListener("pointerdown", onPointerDown);
    return () => {
      document.removeEventListener("keydown", onKeyDown);
      document.removeEventListener("pointerdown", onPointerDown);
    };
  }, [open]);

  /** Captured before the link's own handler: a tap that opens the panel does not navigate. */
  function onClickCapture(event: MouseEvent) {
    if (!(event.target as Element).closest("a")) return;
    if (pointer.current === "touch" && !open) {
      event.preventDefault();
      schedule(true);
    } else schedule(false);
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles events of its content
    <div
      ref={root}
      className="relative"
      onClickCapture={onClickCapture}
      onPointerDown={(event) => {
        pointer.current = event.pointerType;
      }}
      onKeyDown={() => {
        pointer.current = "";
      }}
      onPointerEnter={(event) => {
        if (event.pointerType === "mouse") schedule(true, 80);
      }}
      onPointerLeave={(event) => {
        // Somebody may be typing in the panel, with the mouse out of the way.
        const isTyping = event.currentTarget.querySelector(":focus-visible");
        if (event.pointerType === "mouse" && !isTyping) schedule(false, 200);
      }}
      onFocus={(event) => {
        if (event.target.matches(":focus-visible")) schedule(true);
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        // A pressed button may have been removed, which blurs it.
        const isPointedAt = currentTarget.matches(":hover");
        if (!currentTarget.contains(relatedTarget) && !isPointedAt) schedule(false);
      }}
    >
      {trigger}
      {open && (
        // The padding bridges the gap to the trigger, so that the pointer can cross it.
        <div className="fixed inset-x-2 top-header z-50 pt-2 sm:absolute sm:inset-x-auto sm:top-full sm:right-0">
          <section
            aria-label={label}
            className={clsx(
              "max-h-[calc(100dvh-var(--spacing-header)-1rem)] overflow-y-auto overscroll-contain rounded-lg border border-line bg-bg shadow-overlay",
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
