import type { Thing, WithContext } from "schema-dts";
import { jsonLdText } from "@/lib/seo/json-ld";

/** Structured data for search engines (lib/seo/json-ld.ts). */
export function JsonLd({ data }: { data: WithContext<Thing> }) {
  return (
    <script
      type="application/ld+json"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: jsonLdText escapes text that could end the script
      dangerouslySetInnerHTML={{ __html: jsonLdText(data) }}
    />
  );
}
