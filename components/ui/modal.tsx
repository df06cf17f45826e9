"use client";

import clsx from "clsx";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { CloseIcon } from "@/components/ui/icons";

interface ModalProps {
  open: boolean;
  /** Called by Escape and by the × button; the parent then sets `open` to false. */
  onClose: () => void;
  title: ReactNode;
  children: ReactNode;
  size?: "md" | "lg";
}

/**
 * A window over the page, on the browser's own `<dialog>`: the rest of the page is inert, Escape
 * closes, and the focus returns to where it was. The children exist only while it is open, so a
 * form in it starts fresh each time; the focus goes to what carries `data-autofocus`, if anything.
 */
export function Modal({ open, onClose, title, children, size = "md" }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();

  useEffect(() => {
    if (!open) return dialog.current?.close();
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>("[data-autofocus]")?.focus();
  }, [open]);

  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onCancel={(event) => {
        // The cancel event of a file input inside bubbles up to here.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onClose();
      }}
      className={clsx(
        "modal m-auto max-h-[calc(100dvh-2rem)] w-[calc(100%-2rem)] overflow-y-auto rounded-lg bg-bg text-ink shadow-overlay",
        size === "md" ? "max-w-lg" : "max-w-3xl",
      )}
    >
      {open && (
        <>
          <div className="sticky top-0 z-10 flex items-center justify-between gap-4 bg-bg py-4 pr-3 pl-6">
            <h2 id={titleId} className="text-heading">
              {title}
            </h2>
            <button
              type="button"
              onClick={onClose}
              aria-label="Fermer"
              className="grid size-11 shrink-0 place-items-center rounded-md text-muted hover:bg-surface hover:text-ink"
            >
              <CloseIcon />
            </button>
          </div>
          <div className="px-6 pb-6">{children}</div>
        </>
      )}
    </dialog>
  );
}

/** The row of buttons at the end of a modal: 'Annuler' first, then what it is about. */
export function ModalActions({ children }: { children: ReactNode }) {
  return <div className="mt-8 flex flex-wrap justify-end gap-3">{children}</div>;
}
