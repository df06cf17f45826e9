"use client";

import clsx from "clsx";
import { setNonce } from "get-nonce";
import { AlertDialog, Dialog } from "radix-ui";
import { type ReactNode, useRef } from "react";
import { Button } from "@/components/ui/button";

// The back office's windows. They lie over one another (a question over a form), which the
// browser's own <dialog> of components/ui/modal.tsx does not do safely: Escape, pressed twice,
// closes both: docs/decisions/028.

// While a window is open, a style of radix-ui keeps the page below it from being scrolled. The page's
// policy lets styles in that carry the nonce it came with.
if (typeof document !== "undefined")
  setNonce(document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? "");

const overlay = "fixed inset-0 z-50 bg-ink/40";
const frame =
  "fixed top-1/2 left-1/2 z-50 flex max-h-[calc(100dvh-2rem)] w-[calc(100%-2rem)] -translate-x-1/2 -translate-y-1/2 flex-col overflow-hidden rounded-lg bg-bg text-ink shadow-overlay focus:outline-none";

/** Where the focus was before a window opened, and goes again afterwards. */
function useReturnFocus() {
  const opener = useRef<Element | null>(null);
  return {
    remember: () => {
      opener.current = document.activeElement;
    },
    giveBack: (event: Event) => {
      event.preventDefault();
      const { current } = opener;
      // Another window that closes at the same time may have put it where it belongs.
      if (!current?.isConnected && document.activeElement !== document.body) return;
      const target = current?.isConnected ? current : document.querySelector("main");
      if (target instanceof HTMLElement) target.focus();
    },
  };
}

interface WindowProps {
  open: boolean;
  /** Called by the × button, and by Escape where there is no `onEscape`. */
  onClose: () => void;
  onEscape?: () => void;
  title: string;
  size?: "md" | "lg";
  children: ReactNode;
}

/**
 * A window over the page. The focus goes to its first field and stays inside; a click beside it
 * does not close it, since something may have been typed.
 */
export function Window({ open, onClose, onEscape, title, size = "md", children }: WindowProps) {
  const focus = useReturnFocus();
  const content = useRef<HTMLDivElement>(null);
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className={overlay} />
        <Dialog.Content
          ref={content}
          aria-describedby={undefined}
          onInteractOutside={(event) => event.preventDefault()}
          onEscapeKeyDown={(event) => {
            // The first Escape closes a list of suggestions.
            const { target } = event;
            const isListOpen =
              target instanceof Element && target.getAttribute("aria-expanded") === "true";
            if (isListOpen || onEscape) event.preventDefault();
            if (!isListOpen) onEscape?.();
          }}
          onOpenAutoFocus={(event) => {
            focus.remember();
            const field = content.current?.querySelector<HTMLElement>(
              ":is(input, select, textarea):not(:disabled, [type=hidden])",
            );
            if (!field) return;
            event.preventDefault();
            field.focus();
          }}
          onCloseAutoFocus={focus.giveBack}
          className={clsx(frame, size === "md" ? "max-w-xl" : "max-w-4xl")}
        >
          <div className="flex shrink-0 items-center justify-between gap-4 border-line border-b py-3 pr-3 pl-6">
            <Dialog.Title className="text-heading">{title}</Dialog.Title>
            <Dialog.Close
              aria-label="Fermer"
              title="Fermer"
              className="grid size-11 shrink-0 place-items-center rounded-md text-[1.75rem] text-muted leading-none hover:bg-surface hover:text-ink"
            >
              ×
            </Dialog.Close>
          </div>
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface QuestionProps {
  open: boolean;
  /** The sentence that asks. */
  title: string;
  /** What follows from a yes. */
  children?: ReactNode;
  /** The button that says yes. */
  confirmLabel: string;
  cancelLabel?: string;
  onConfirm: () => void;
  onCancel: () => void;
}

/** A question before something that cannot be undone; Escape says no. */
export function Question({
  open,
  title,
  children,
  confirmLabel,
  cancelLabel = "Annuler",
  onConfirm,
  onCancel,
}: QuestionProps) {
  const focus = useReturnFocus();
  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => !next && onCancel()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={overlay} />
        <AlertDialog.Content
          {...(!children && { "aria-describedby": undefined })}
          onOpenAutoFocus={focus.remember}
          onCloseAutoFocus={focus.giveBack}
          className={clsx(frame, "max-w-md gap-4 p-6")}
        >
          <AlertDialog.Title className="text-heading">{title}</AlertDialog.Title>
          {children && (
            <AlertDialog.Description asChild>
              <div className="overflow-y-auto text-muted">{children}</div>
            </AlertDialog.Description>
          )}
          <div className="mt-2 flex flex-wrap justify-end gap-3">
            <AlertDialog.Cancel asChild>
              <Button variant="secondary">{cancelLabel}</Button>
            </AlertDialog.Cancel>
            <AlertDialog.Action asChild>
              <Button variant="danger" onClick={onConfirm}>
                {confirmLabel}
              </Button>
            </AlertDialog.Action>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
