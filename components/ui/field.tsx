import clsx from "clsx";
import { type ComponentProps, type ReactNode, useId } from "react";
import { AlertCircleIcon } from "@/components/ui/icons";

interface FieldProps {
  label: string;
  hint?: ReactNode;
  /** The error message. */
  error?: string | null;
  /** Id of an error message elsewhere on the page that concerns this field, too. */
  errorId?: string | undefined;
  /** Shows "facultatif", or these words, beside the label. Most fields of this shop's forms are required. */
  optional?: boolean | string;
  /** Hides the label except from screen readers, if the design makes the field's purpose clear. */
  hideLabel?: boolean;
  /** Announces an error that comes while another field has the focus. */
  liveError?: boolean;
  /** Classes of the whole field. */
  className?: string;
}

interface FieldFrameProps extends Omit<FieldProps, "errorId"> {
  id: string;
  children: ReactNode;
}

/** Separates the props of a field from its control's. Links the control to its notes, the error last. */
export function useFieldProps<Props extends FieldProps & { id?: string | undefined }>(
  { label, hint, error, errorId, optional, hideLabel, liveError, className, ...props }: Props,
  unit?: string,
) {
  const ownId = useId();
  const { id = ownId } = props;
  const notes = clsx(
    optional && `${id}-optional`,
    unit && `${id}-unit`,
    hint && `${id}-hint`,
    error && `${id}-error`,
    errorId,
  );
  return {
    field: { id, label, hint, error, optional, hideLabel, liveError, className },
    control: {
      ...props,
      id,
      "aria-invalid": error || errorId ? (true as const) : undefined,
      "aria-describedby": notes || undefined,
    },
  };
}

/** The label above a control, and its notes below. */
export function FieldFrame({ children, ...field }: FieldFrameProps) {
  const { id, label, optional, hideLabel, className } = field;
  return (
    <div className={clsx("flex flex-col gap-1.5", className)}>
      <div className={clsx("flex items-baseline gap-2", hideLabel && "sr-only")}>
        <label htmlFor={id} className="font-medium text-sm">
          {label}
        </label>
        {optional && (
          <span id={`${id}-optional`} className="text-muted text-xs">
            {optional === true ? "facultatif" : optional}
          </span>
        )}
      </div>
      {children}
      <FieldNotes {...field} />
    </div>
  );
}

export function FieldNotes({
  id,
  hint,
  error,
  liveError,
}: Pick<FieldFrameProps, "id" | "hint" | "error" | "liveError">) {
  return (
    <>
      {hint && (
        <p id={`${id}-hint`} className="text-muted text-sm">
          {hint}
        </p>
      )}
      <div aria-live={liveError ? "polite" : undefined} className="contents">
        {error && (
          <p id={`${id}-error`} className="flex gap-1.5 text-danger text-sm">
            <AlertCircleIcon size={16} className="mt-0.75 shrink-0" />
            <span>{error}</span>
          </p>
        )}
      </div>
    </>
  );
}

type Control<Tag extends "input" | "textarea" | "select"> = FieldProps &
  Omit<ComponentProps<Tag>, "className">;

interface TextFieldProps extends Control<"input"> {
  /** A unit shown inside the box, at its end: "€", "Ko". */
  unit?: string;
  /** A button inside the box, at its end. */
  action?: ReactNode;
}

export function TextField({ unit, action, ...props }: TextFieldProps) {
  const { field, control } = useFieldProps(props, unit);
  return (
    <FieldFrame {...field}>
      <div className="relative">
        <input {...control} className={clsx("control", unit && "pr-10", action && "pr-24")} />
        {action && <div className="absolute inset-y-0 right-1 flex items-center">{action}</div>}
        {unit && (
          <span
            id={`${field.id}-unit`}
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
  const { field, control } = useFieldProps(props);
  return (
    <FieldFrame {...field}>
      <textarea {...control} rows={rows} className="control" />
    </FieldFrame>
  );
}

/** A native select; the options are its children. */
export function SelectField(props: Control<"select">) {
  const { field, control } = useFieldProps(props);
  return (
    <FieldFrame {...field}>
      <select {...control} className="control" />
    </FieldFrame>
  );
}

type CheckboxFieldProps = Omit<FieldProps, "optional" | "hideLabel"> &
  Omit<ComponentProps<"input">, "className" | "type">;

/** A checkbox with its label on the right. */
export function CheckboxField(props: CheckboxFieldProps) {
  const { field, control } = useFieldProps(props);
  return (
    <div className={clsx("flex flex-col gap-1", field.className)}>
      <label htmlFor={field.id} className="flex min-h-8 w-fit items-center gap-2.5">
        <input {...control} type="checkbox" className="size-5 shrink-0 accent-accent" />
        <span>{field.label}</span>
      </label>
      <FieldNotes {...field} />
    </div>
  );
}
