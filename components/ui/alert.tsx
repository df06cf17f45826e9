import clsx from "clsx";
import type { ReactNode } from "react";
import { AlertCircleIcon, CheckCircleIcon, InfoIcon } from "@/components/ui/icons";

type AlertKind = "success" | "error" | "warning" | "info";

interface AlertProps {
  kind: AlertKind;
  /** Line breaks in a text are kept. */
  children: ReactNode;
  /** False for content of the initial page, which screen readers must not announce. */
  live?: boolean;
  className?: string;
}

const styles: Record<AlertKind, string> = {
  success: "bg-success-soft text-success",
  error: "bg-danger-soft text-danger",
  warning: "bg-warning-soft text-warning",
  info: "bg-surface-strong text-ink",
};

/** A message about what happened. Errors interrupt a screen reader, the others do not. */
export function Alert({ kind, children, live = true, className }: AlertProps) {
  const AlertIcon =
    kind === "success" ? CheckCircleIcon : kind === "info" ? InfoIcon : AlertCircleIcon;
  return (
    <div
      role={live ? (kind === "error" ? "alert" : "status") : undefined}
      className={clsx(
        "flex gap-3 rounded-md px-4 py-3 forced-colors:border",
        styles[kind],
        className,
      )}
    >
      <AlertIcon className="mt-0.75 shrink-0" />
      <div className="min-w-0 whitespace-pre-line">{children}</div>
    </div>
  );
}
