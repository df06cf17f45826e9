import { AUTH_SCRIPT } from "@/lib/http/server/inline-scripts";

/** For `<head>`; `<html>` needs suppressHydrationWarning, since the script changes its attributes. */
export function AuthScript() {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant
  return <script dangerouslySetInnerHTML={{ __html: AUTH_SCRIPT }} />;
}
