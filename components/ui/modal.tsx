"use client";

import clsx from "clsx";
import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from "react";
import { CloseIcon } from "@/components/ui/icons";
import { ModalLock } from "@/components/ui/modal-lock";

interface ModalProps {
  open: boolean;
  /** Called by Escape and by the × button, not while locked; the parent then sets `open` to false. */
  onClose: () => void;
  title: ReactNode;
  children: ReactNode;
  /** A sheet is at the lower edge of the window, as wide as it. */
  size?: "md" | "lg" | "sheet";
  /** Gets the focus on closing if the opener no longer exists; defaults to `<main>`. */
  returnFocus?: RefObject<HTMLElement | null>;
}

/**
 * A dialog over the page, on the browser's own `<dialog>`: the rest of the page is inert, Escape
 * closes, and the focus returns to where it was. The children are mounted only while it is open, so
 * a form in it starts fresh each time. The element with `data-autofocus`, if any, gets the focus.
 * While a request of the children runs (`useModalLock`), nothing closes the dialog.
 */
export function Modal({ open, onClose, title, children, size = "md", returnFocus }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const [isLocked, setLocked] = useState(false);

  useEffect(() => {
    const { current } = dialog;
    if (!open || !current) return;
    show(current);
    return () => {
      current.close();
      // The browser returns the focus to the opener, unless that no longer exists.
      if (!current.isConnected || document.activeElement !== document.body) return;
      // A pressed button that is still busy takes the focus back by itself.
      if (document.querySelector("button[aria-busy=true]")) return;
      const target = returnFocus?.current ?? document.querySelector("main");
      target?.focus({ preventScroll: true });
    };
  }, [open, returnFocus]);

  return (
    <dialog
      ref={dialog}
      tabIndex={-1}
      aria-labelledby={titleId}
      onCancel={(event) => {
        // The cancel event of a file input inside bubbles up to here.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        if (!isLocked) onClose();
      }}
      onClose={({ target, currentTarget }) => {
        if (target !== currentTarget || !open || currentTarget.open) return;
        // Chromium fires `cancel` for the first Escape only (docs/decisions/028).
        if (isLocked) show(currentTarget);
        else onClose();
      }}
      className={clsx(
        "modal scroll-pt-26 scroll-pb-6 focus-visible:outline-none max-h-[calc(100dvh-2rem)] overflow-y-auto text-ink shadow-overlay forced-colors:border",
        size === "sheet"
          ? "mx-0 mt-auto mb-0 w-full max-w-full rounded-t-lg"
          : "m-auto w-[calc(100%-2rem)] rounded-lg",
        size === "md" && "max-w-lg",
        size === "lg" && "max-w-3xl",
      )}
    >
      {open && (
        <>
          <div className="sticky top-0 z-10 print:static flex items-center justify-between gap-4 bg-bg py-4 pr-3 pl-6">
            <h2 id={titleId} className="text-heading">
              {title}
            </h2>
            <button
              type="button"
              onClick={onClose}
              disabled={isLocked}
              aria-label="Fermer"
              className="grid size-11 shrink-0 place-items-center rounded-md text-muted print:hidden hover:bg-surface hover:text-ink disabled:cursor-not-allowed disabled:bg-transparent disabled:text-line-strong"
            >
              <CloseIcon />
            </button>
          </div>
          <div className="px-6 pb-6">
            <ModalLock value={setLocked}>{children}</ModalLock>
          </div>
        </>
      )}
    </dialog>
  );
}

function show(dialog: HTMLDialogElement): void {
  dialog.showModal();
  dialog.querySelector<HTMLElement>("[data-autofocus]")?.focus();
}

/** The row of buttons at the end of a modal: 'Annuler' first, then the action. */
export function ModalActions({ children }: { children: ReactNode }) {
  return <div className="mt-8 flex flex-wrap justify-end gap-3">{children}</div>;
}
