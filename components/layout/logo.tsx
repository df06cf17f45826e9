/** The shop's sign: a bag with a smile for a handle. */
export function Logo({ size = 28 }: { size?: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true" className="shrink-0">
      <rect width="32" height="32" rx="9" fill="var(--color-accent)" />
      <path
        d="M10 12.5a6 6 0 0 0 12 0"
        fill="none"
        stroke="var(--color-on-accent)"
        strokeWidth="2.6"
        strokeLinecap="round"
      />
    </svg>
  );
}
