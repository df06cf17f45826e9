import clsx from "clsx";
import { CheckIcon } from "@/components/ui/icons";
import { passwordCriteria } from "@/lib/auth/rules";

/** The criteria of a new password, each with a tick once it is met: the hint of the password's field. */
export function PasswordCriteria({ password }: { password: string }) {
  return (
    <span className="flex flex-wrap gap-x-4 gap-y-0.5">
      {passwordCriteria(password).map(({ label, isMet }) => (
        <span
          key={label}
          data-met={isMet || undefined}
          className={clsx("inline-flex items-center gap-1.5", isMet && "text-success")}
        >
          <span
            className={clsx(
              "grid size-4 shrink-0 place-items-center rounded-full border",
              isMet ? "border-success" : "border-line-strong",
            )}
          >
            {isMet && <CheckIcon size={12} strokeWidth={3} />}
          </span>
          <span>{label}</span>
          <span className="sr-only">{isMet ? "\u00a0: oui," : ","}</span>
        </span>
      ))}
    </span>
  );
}
