import clsx from "clsx";
import type { ReactNode } from "react";

export type BadgeTone = "neutral" | "accent" | "info" | "success" | "warning" | "danger";

const tones: Record<BadgeTone, string> = {
  neutral: "bg-neutral-soft text-ink",
  accent: "bg-accent-soft text-accent",
  info: "bg-info-soft text-info",
  success: "bg-success-soft text-success",
  warning: "bg-warning-soft text-warning",
  danger: "bg-danger-soft text-danger",
};

interface BadgeProps {
  tone?: BadgeTone;
  children: ReactNode;
  className?: string;
}

/** A state or a kind in one word: "En attente", "Digital". */
export function Badge({ tone = "neutral", children, className }: BadgeProps) {
  return (
    <span
      className={clsx(
        // A selected row has the accent's background, on which a badge of the accent tone cannot be made out.
        "in-data-selected:bg-bg inline-flex min-h-6 items-center whitespace-nowrap rounded-sm px-2 font-medium text-xs",
        tones[tone],
        className,
      )}
    >
      {children}
    </span>
  );
}
