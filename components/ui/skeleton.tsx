import clsx from "clsx";

/** A placeholder for loading content; classes give it the content's size. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={clsx("block animate-shimmer rounded-md bg-surface-strong", className)}
    />
  );
}
