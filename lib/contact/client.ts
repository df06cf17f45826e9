import type { ContactInput } from "@/lib/contact/rules";
import { SEND_FAILED } from "@/lib/contact/texts";
import { timeoutSignal } from "@/lib/public-api";

type ContactOutcome =
  | { isSent: true }
  /** `errors`: sentences by field, if the server names fields; else `error`. */
  | { isSent: false; error: string; errors: Partial<ContactInput> };

/** POST /api/contact. Never throws. */
export async function sendContactMessage(input: ContactInput): Promise<ContactOutcome> {
  let answer: { error?: unknown; errors?: Partial<ContactInput> } | null = null;
  try {
    const response = await fetch("/api/contact", {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json" },
      body: JSON.stringify(input),
      signal: timeoutSignal(),
    });
    if (response.ok) return { isSent: true };
    answer = await response.json();
  } catch {
    // No connection, or a proxy's response, which is no JSON.
  }
  const error = typeof answer?.error === "string" && answer.error ? answer.error : SEND_FAILED;
  return { isSent: false, error, errors: answer?.errors ?? {} };
}
