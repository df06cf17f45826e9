import type { ReactNode } from "react";
import { Alert } from "@/components/ui/alert";

export interface FormResult {
  kind: "success" | "error";
  /** Line breaks are kept. */
  text: string;
}

interface FormAlertProps {
  id?: string;
  result: FormResult | null;
  /** A control beside the success message. */
  action?: ReactNode;
}

/** The result of a form as a whole. A field may refer to its error message by `id`. */
export function FormAlert({ id, result, action }: FormAlertProps) {
  const success = result?.kind === "success" ? result.text : null;
  return (
    <>
      {/* A live region must exist before its content changes, or it may not be announced. */}
      <div
        role={success === null ? undefined : "status"}
        aria-live="polite"
        className="self-stretch empty:absolute"
      >
        {success !== null && (
          <Alert kind="success" live={false}>
            <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
              <p>{success}</p>
              {action}
            </div>
          </Alert>
        )}
      </div>
      {result?.kind === "error" && (
        <div id={id} className="self-stretch">
          <Alert kind="error">{result.text}</Alert>
        </div>
      )}
    </>
  );
}
