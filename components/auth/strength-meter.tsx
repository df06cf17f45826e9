import clsx from "clsx";
import { listPasswordProblems, passwordStrength } from "@/lib/auth/rules";

/** By strength, 0 to 4. */
const LEVELS = [
  { label: "très faible", color: "" },
  { label: "faible", color: "bg-[#c5221f]" },
  { label: "moyenne", color: "bg-[#e8710a]" },
  { label: "bonne", color: "bg-[#f2b600]" },
  { label: "forte", color: "bg-[#188038]" },
] as const;

/** The strength of a password, as four segments and in words. */
export function StrengthMeter({ password }: { password: string }) {
  const strength = passwordStrength(password);
  const { color } = LEVELS[strength] ?? LEVELS[0];
  // Four of five rules fill all segments, but a refused password is not called strong.
  const isAccepted = listPasswordProblems(password).length === 0;
  const { label } = LEVELS[isAccepted ? strength : Math.min(strength, 3)] ?? LEVELS[0];
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      {/* biome-ignore lint/a11y/useSemanticElements: <meter> cannot be drawn as segments */}
      <div
        role="meter"
        aria-label="Robustesse"
        aria-valuemin={0}
        aria-valuemax={4}
        aria-valuenow={strength}
        aria-valuetext={label}
        className="grid min-w-24 flex-1 grid-cols-4 gap-1.5"
      >
        {[1, 2, 3, 4].map((segment) => (
          <span
            key={segment}
            data-filled={segment <= strength || undefined}
            className={clsx(
              "h-1.5 rounded-full transition-colors",
              segment <= strength ? color : "bg-surface-strong",
            )}
          />
        ))}
      </div>
      {/* As wide as the longest text, so that the segments keep their width. */}
      <p role="status" className="w-40 max-w-full text-muted text-sm">
        {password ? `Robustesse\u00a0: ${label}` : "Robustesse"}
      </p>
    </div>
  );
}
