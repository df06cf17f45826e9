import { domainToUnicode } from "node:url";
import { type AnyColumn, type SQL, sql } from "drizzle-orm";
import { canonicalEmail } from "@/lib/text/email";

/**
 * The forms in which an e-mail address may be stored: the canonical form and, in older rows, the form with
 * the domain in Unicode.
 */
export function storedFormsOf(email: string): [kept: string, ...former: string[]] {
  const kept = canonicalEmail(email);
  const at = kept.indexOf("@") + 1;
  const domain = kept.slice(at).toLowerCase();
  if (!/(^|\.)xn--/.test(domain)) return [kept];
  const readable = domainToUnicode(domain);
  return readable === "" || readable === domain ? [kept] : [kept, kept.slice(0, at) + readable];
}

/** The condition that a column holds the e-mail address in any of its forms, whatever its case. */
export function holdsEmail(column: AnyColumn | SQL, email: string): SQL {
  const forms = storedFormsOf(email).map((form) => sql`lower(${form})`);
  return sql`lower(${column}) in (${sql.join(forms, sql`, `)})`;
}
