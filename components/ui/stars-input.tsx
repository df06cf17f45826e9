import clsx from "clsx";
import type { ComponentProps } from "react";
import { FieldNotes } from "@/components/ui/field";

interface StarsInputProps extends Omit<ComponentProps<"input">, "className" | "type" | "value"> {
  /** The legend: "Note". */
  legend: string;
  name: string;
  error?: string | null;
  /** The selected rating, if controlled; otherwise `defaultValue`. */
  value?: number;
}

/** Selects 1 to 5 stars: five radio buttons, for keyboards and screen readers. */
export function StarsInput({
  legend,
  error,
  value,
  defaultValue,
  "aria-describedby": describedBy,
  ...input
}: StarsInputProps) {
  const errorId = `${input.name}-error`;
  return (
    <fieldset
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: HTML allows it on a fieldset
      role="radiogroup"
      aria-required={input.required || undefined}
      aria-invalid={error ? true : undefined}
      aria-describedby={clsx(error && errorId, describedBy) || undefined}
    >
      <legend className="mb-1 font-medium text-sm">{legend}</legend>
      <div className="star-input -ml-1 flex">
        {[1, 2, 3, 4, 5].map((star) => (
          <label key={star}>
            <input
              {...input}
              type="radio"
              value={star}
              checked={value === undefined ? undefined : value === star}
              defaultChecked={value === undefined ? Number(defaultValue) === star : undefined}
              // Covers the star, so that pointers hit the input itself.
              className="absolute inset-0 m-0 size-full cursor-pointer opacity-0"
            />
            <span className="sr-only">{star === 1 ? "1 étoile" : `${star} étoiles`}</span>
          </label>
        ))}
      </div>
      <div className="mt-1.5">
        <FieldNotes id={input.name} error={error} />
      </div>
    </fieldset>
  );
}
