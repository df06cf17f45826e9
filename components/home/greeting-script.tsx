import { GREETING_SCRIPT } from "@/lib/http/inline-scripts";

/** Stands right behind the greeting. */
export function GreetingScript() {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant
  return <script dangerouslySetInnerHTML={{ __html: GREETING_SCRIPT }} />;
}
