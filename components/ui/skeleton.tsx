import clsx from "clsx";

/** A placeholder of the size (given by classes) of what is being loaded. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={clsx("block animate-shimmer rounded-md bg-surface-strong", className)}
    />
  );
}
