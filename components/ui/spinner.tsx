import clsx from "clsx";

interface SpinnerProps {
  /** Pixels. */
  size?: number;
  /** For screen readers; omit it beside a text that says the same. */
  label?: string;
  className?: string;
}

export function Spinner({ size = 20, label, className }: SpinnerProps) {
  const wheel = (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={2.5}
      strokeLinecap="round"
      aria-hidden="true"
      className={clsx("shrink-0 animate-spin", className)}
    >
      <circle cx="12" cy="12" r="9" opacity="0.2" />
      <path d="M21 12a9 9 0 0 0-9-9" />
    </svg>
  );
  if (!label) return wheel;
  return (
    <span role="status" className="inline-flex items-center gap-2">
      {wheel}
      <span className="sr-only">{label}</span>
    </span>
  );
}
