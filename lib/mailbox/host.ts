import { siteUrl } from "@/lib/env";
import { isOwnHost } from "@/lib/http/host";
import { CLOSED_POLICY } from "@/lib/http/security-headers";
import { hasMailbox } from "./queries";

/**
 * Refuses requests for the mailbox under a host name that is not the shop's: otherwise a page of another
 * site, opened on this machine, could read every mail. Undefined for requests that are not refused.
 */
export function refuseForeignHost({ headers }: Pick<Request, "headers">): Response | undefined {
  if (!hasMailbox() || isOwnHost(headers.get("host"), siteUrl())) return undefined;
  return new Response(
    `La boîte aux lettres ne s'ouvre qu'à l'adresse de la boutique\u00a0: ${siteUrl()}/mailbox\n`,
    {
      status: 421,
      headers: {
        "Content-Type": "text/plain; charset=utf-8",
        "Content-Security-Policy": CLOSED_POLICY,
      },
    },
  );
}
