import clsx from "clsx";
import { type ComponentProps, type ReactNode, useId } from "react";
import { AlertCircleIcon } from "@/components/ui/icons";

interface FieldLook {
  label: string;
  hint?: ReactNode;
  /** The sentence that says what is wrong with the value. */
  error?: string | null;
  /** Id of a sentence elsewhere on the page that says it, for this field among others. */
  errorId?: string | undefined;
  /** Says "facultatif" beside the label. Required is the rule in this shop's forms. */
  optional?: boolean;
  /** Keeps the label for screen readers only, where the design shows what the box is for. */
  hideLabel?: boolean;
  /** Classes of the whole field. */
  className?: string;
}

interface FieldFrameProps extends FieldLook {
  id: string;
  children: ReactNode;
}

/** Parts what the field shows from what is its control's own. */
function useFieldLook<Props extends FieldLook & { id?: string | undefined }>({
  id,
  label,
  hint,
  error,
  errorId,
  optional,
  hideLabel,
  className,
  ...control
}: Props) {
  const ownId = useId();
  const look = { id: id ?? ownId, label, hint, error, errorId, optional, hideLabel, className };
  return { look, control };
}

/** What ties a control to its hint and its error. */
function controlProps({
  id,
  hint,
  error,
  errorId,
}: Pick<FieldLook, "hint" | "error" | "errorId"> & { id: string }) {
  return {
    id,
    "aria-invalid": error || errorId ? (true as const) : undefined,
    "aria-describedby": clsx(hint && `${id}-hint`, error && `${id}-error`, errorId) || undefined,
  };
}

function FieldFrame({
  id,
  label,
  hint,
  error,
  optional,
  hideLabel,
  className,
  children,
}: FieldFrameProps) {
  return (
    <div className={clsx("flex flex-col gap-1.5", className)}>
      <div className={clsx("flex items-baseline gap-2", hideLabel && "sr-only")}>
        <label htmlFor={id} className="font-medium text-sm">
          {label}
        </label>
        {optional && <span className="text-muted text-xs">facultatif</span>}
      </div>
      {children}
      <FieldNotes id={id} hint={hint} error={error} />
    </div>
  );
}

function FieldNotes({ id, hint, error }: Pick<FieldLook, "hint" | "error"> & { id: string }) {
  return (
    <>
      {hint && (
        <p id={`${id}-hint`} className="text-muted text-sm">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="flex gap-1.5 text-danger text-sm">
          <AlertCircleIcon size={16} className="mt-0.75 shrink-0" />
          {error}
        </p>
      )}
    </>
  );
}

type Control<Tag extends "input" | "textarea" | "select"> = FieldLook &
  Omit<ComponentProps<Tag>, "className">;

interface TextFieldProps extends Control<"input"> {
  /** A unit shown inside the box, at its end: "€", "Ko". */
  unit?: string;
  /** A button inside the box, at its end. */
  action?: ReactNode;
}

export function TextField({ unit, action, ...props }: TextFieldProps) {
  const { look, control } = useFieldLook(props);
  return (
    <FieldFrame {...look}>
      <div className="relative">
        <input
          {...control}
          {...controlProps(look)}
          className={clsx("control", unit && "pr-10", action && "pr-24")}
        />
        {action && <div className="absolute inset-y-0 right-1 flex items-center">{action}</div>}
        {unit && (
          <span
            aria-hidden="true"
            className="pointer-events-none absolute inset-y-0 right-3.5 flex items-center text-muted"
          >
            {unit}
          </span>
        )}
      </div>
    </FieldFrame>
  );
}

export function TextareaField({ rows = 5, ...props }: Control<"textarea">) {
  const { look, control } = useFieldLook(props);
  return (
    <FieldFrame {...look}>
      <textarea {...control} {...controlProps(look)} rows={rows} className="control" />
    </FieldFrame>
  );
}

/** A native select; the options are its children. */
export function SelectField(props: Control<"select">) {
  const { look, control } = useFieldLook(props);
  return (
    <FieldFrame {...look}>
      <select {...control} {...controlProps(look)} className="control" />
    </FieldFrame>
  );
}

type CheckboxFieldProps = Omit<FieldLook, "optional" | "hideLabel"> &
  Omit<ComponentProps<"input">, "className" | "type">;

/** A box to tick, with its label at its right. */
export function CheckboxField(props: CheckboxFieldProps) {
  const { look, control } = useFieldLook(props);
  return (
    <div className={clsx("flex flex-col gap-1", look.className)}>
      <label htmlFor={look.id} className="flex min-h-8 w-fit items-center gap-2.5">
        <input
          {...control}
          {...controlProps(look)}
          type="checkbox"
          className="size-5 shrink-0 accent-accent"
        />
        {look.label}
      </label>
      <FieldNotes {...look} />
    </div>
  );
}
