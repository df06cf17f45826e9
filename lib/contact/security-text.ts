import { contactMail, siteUrl } from "@/lib/env";

const YEAR = 365 * 24 * 3600 * 1000;

/** Whom to tell of a vulnerability, for a year from now, as RFC 9116 wants to read it. */
export function securityText(): Response {
  const lines = [
    `Contact: mailto:${contactMail()}`,
    `Expires: ${new Date(Date.now() + YEAR).toISOString()}`,
    "Preferred-Languages: fr, en",
    `Canonical: ${siteUrl()}/.well-known/security.txt`,
  ];
  return new Response(`${lines.join("\n")}\n`, {
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Cache-Control": "public, max-age=86400",
    },
  });
}
