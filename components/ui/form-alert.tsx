import { Alert } from "@/components/ui/alert";

export interface FormResult {
  kind: "success" | "error";
  /** Line breaks are kept. */
  text: string;
}

/** The result of a form as a whole. A field may refer to its error message by `id`. */
export function FormAlert({ id, result }: { id?: string; result: FormResult | null }) {
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
            {success}
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
