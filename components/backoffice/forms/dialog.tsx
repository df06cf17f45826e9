"use client";

import clsx from "clsx";
import { setNonce } from "get-nonce";
import { AlertDialog, Dialog as RadixDialog } from "radix-ui";
import { type ReactNode, useRef } from "react";
import { Button } from "@/components/ui/button";

// The back office's dialogs. They are stacked (a confirmation over a form), which the browser's own
// <dialog> of components/ui/modal.tsx does not do safely: Escape, pressed twice, closes both
// (docs/decisions/028).

// While a dialog is open, a style of radix-ui keeps the page below it from scrolling. The page's
// policy allows styles with the nonce it came with.
if (typeof document !== "undefined")
  setNonce(document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? "");

const overlay = "fixed inset-0 z-50 bg-ink/40";
/** On a low screen the whole dialog scrolls: fixed title and buttons would leave too little of a form. */
const frame =
  "fixed top-1/2 left-1/2 z-50 flex max-h-[calc(100dvh-2rem)] w-[calc(100%-2rem)] -translate-x-1/2 -translate-y-1/2 flex-col overflow-hidden rounded-lg bg-bg text-ink shadow-overlay focus:outline-none [@media(max-height:30rem)]:overflow-y-auto [@media(max-height:30rem)]:*:shrink-0";

/** Returns the focus, when a dialog closes, to where it was before. */
function useReturnFocus() {
  const opener = useRef<Element | null>(null);
  return {
    remember: () => {
      opener.current = document.activeElement;
    },
    restore: (event: Event) => {
      event.preventDefault();
      const { current } = opener;
      // Another dialog that closes at the same time may already have returned the focus.
      if (!current?.isConnected && document.activeElement !== document.body) return;
      const target = current?.isConnected ? current : document.querySelector("main");
      if (target instanceof HTMLElement) target.focus();
    },
  };
}

interface DialogProps {
  open: boolean;
  /** Called by the × button, and by Escape if there is no `onEscape`. */
  onClose: () => void;
  onEscape?: () => void;
  title: string;
  size?: "md" | "lg";
  children: ReactNode;
}

/**
 * A dialog over the page. The focus goes to its first field and stays inside; a click outside does
 * not close it, since something may have been typed.
 */
export function Dialog({ open, onClose, onEscape, title, size = "md", children }: DialogProps) {
  const focus = useReturnFocus();
  const content = useRef<HTMLDivElement>(null);

  function handleEscape(event: Pick<Event, "target" | "preventDefault">): void {
    event.preventDefault();
    const { target } = event;
    // The first Escape closes a list of suggestions.
    if (target instanceof Element && target.getAttribute("aria-expanded") === "true") return;
    (onEscape ?? onClose)();
  }

  return (
    <RadixDialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={overlay} />
        <RadixDialog.Content
          ref={content}
          aria-describedby={undefined}
          onInteractOutside={(event) => event.preventDefault()}
          onEscapeKeyDown={handleEscape}
          onKeyDown={(event) => {
            // Radix adds its listener one render after it has moved the focus here. Until then Escape would be
            // lost.
            if (event.key === "Escape" && !event.isDefaultPrevented()) handleEscape(event);
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
          onCloseAutoFocus={focus.restore}
          className={clsx(frame, size === "md" ? "max-w-xl" : "max-w-4xl")}
        >
          <div className="flex shrink-0 items-center justify-between gap-4 border-line border-b py-3 pr-3 pl-6">
            <RadixDialog.Title className="text-heading">{title}</RadixDialog.Title>
            <RadixDialog.Close
              aria-label="Fermer"
              title="Fermer"
              className="grid size-11 shrink-0 place-items-center rounded-md text-[1.75rem] text-muted leading-none print:hidden hover:bg-surface hover:text-ink"
            >
              ×
            </RadixDialog.Close>
          </div>
          {children}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

interface ConfirmDialogProps {
  open: boolean;
  /** The question. */
  title: string;
  /** Explains what confirming entails. */
  children?: ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  onConfirm: () => void;
  onCancel: () => void;
}

/** Asks before an irreversible action; Escape cancels. */
export function ConfirmDialog({
  open,
  title,
  children,
  confirmLabel,
  cancelLabel = "Annuler",
  onConfirm,
  onCancel,
}: ConfirmDialogProps) {
  const focus = useReturnFocus();
  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => !next && onCancel()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={overlay} />
        <AlertDialog.Content
          {...(!children && { "aria-describedby": undefined })}
          onOpenAutoFocus={focus.remember}
          onCloseAutoFocus={focus.restore}
          onKeyDown={({ key }) => {
            // Radix adds its listener one render after it has moved the focus here. Until then Escape would be
            // lost, or handled by the dialog below.
            if (key === "Escape") onCancel();
          }}
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
