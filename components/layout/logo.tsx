/** The shop's logo: a bag with an m on it. */
export function Logo({ size = 28 }: { size?: number }) {
  return (
    <svg viewBox="0 0 512 512" width={size} height={size} aria-hidden="true" className="shrink-0">
      <rect width="512" height="512" rx="128" fill="var(--color-accent)" />
      <g fill="none" strokeLinecap="round" strokeLinejoin="round">
        <path d="M194 178v-24a64 64 0 0 1 128 0v24" stroke="#fff" strokeWidth="32" />
        <path
          d="M130 168h252a20 20 0 0 1 20 18l17 200a44 44 0 0 1-44 48H137a44 44 0 0 1-44-48l17-200a20 20 0 0 1 20-18z"
          fill="#fff"
        />
        <path
          d="M179 374v-93m0 35a38 38 0 0 1 77 0v58m0-58a38 38 0 0 1 77 0v58"
          stroke="var(--color-accent)"
          strokeWidth="36"
        />
      </g>
    </svg>
  );
}
