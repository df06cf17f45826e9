import clsx from "clsx";
import type { ReactNode } from "react";
import { AlertCircleIcon, CheckCircleIcon, InfoIcon } from "@/components/ui/icons";

export type AlertKind = "success" | "error" | "warning" | "info";

interface AlertProps {
  kind: AlertKind;
  /** Several sentences are shown as a list, one sentence with line breaks keeps them. */
  messages?: readonly string[];
  children?: ReactNode;
  className?: string;
}

const looks: Record<AlertKind, string> = {
  success: "bg-success-soft text-success",
  error: "bg-danger-soft text-danger",
  warning: "bg-warning-soft text-warning",
  info: "bg-surface-strong text-ink",
};

/** A message about what happened. Errors interrupt a screen reader, the others wait their turn. */
export function Alert({ kind, messages, children, className }: AlertProps) {
  const AlertIcon =
    kind === "success" ? CheckCircleIcon : kind === "info" ? InfoIcon : AlertCircleIcon;
  return (
    <div
      role={kind === "error" ? "alert" : "status"}
      className={clsx("flex gap-3 rounded-md px-4 py-3", looks[kind], className)}
    >
      <AlertIcon className="mt-0.75 shrink-0" />
      <div className="min-w-0 whitespace-pre-line">
        {messages && messages.length > 1 ? (
          <ul className="list-disc space-y-1 pl-4">
            {messages.map((message) => (
              <li key={message}>{message}</li>
            ))}
          </ul>
        ) : (
          messages?.[0]
        )}
        {children}
      </div>
    </div>
  );
}
