import { contactMail, siteUrl } from "@/lib/env";

const YEAR = 365 * 24 * 3600 * 1000;

/** security.txt (RFC 9116): the contact for reports of vulnerabilities, valid for a year from now. */
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
