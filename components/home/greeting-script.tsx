import { GREETING_SCRIPT } from "@/lib/http/server/inline-scripts";

/** Must be right after the greeting, which it fills in before the first paint. */
export function GreetingScript() {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant
  return <script dangerouslySetInnerHTML={{ __html: GREETING_SCRIPT }} />;
}
