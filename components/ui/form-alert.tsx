import { Alert } from "@/components/ui/alert";

export interface FormResult {
  kind: "success" | "error";
  /** Line breaks are kept. */
  text: string;
}

/** What came of a form as a whole. Fields may refer to it by its id. */
export function FormAlert({ id, result }: { id: string; result: FormResult | null }) {
  if (!result) return null;
  return (
    <div id={id}>
      <Alert kind={result.kind} messages={[result.text]} />
    </div>
  );
}
