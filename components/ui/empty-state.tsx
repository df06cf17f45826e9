import clsx from "clsx";
import type { ReactNode } from "react";
import { BoxIcon } from "@/components/ui/icons";

interface EmptyStateProps {
  /** The sentence that says what is missing. */
  title: ReactNode;
  /** What the visitor can do next. */
  children?: ReactNode;
  icon?: ReactNode;
  className?: string;
}

export function EmptyState({ title, children, icon, className }: EmptyStateProps) {
  return (
    <div
      className={clsx(
        "flex flex-col items-center gap-4 rounded-lg bg-surface px-6 py-16 text-center",
        className,
      )}
    >
      <span className="grid size-16 place-items-center rounded-full bg-bg text-accent">
        {icon ?? <BoxIcon size={28} />}
      </span>
      <p className="max-w-prose text-lg text-ink">{title}</p>
      {children}
    </div>
  );
}
