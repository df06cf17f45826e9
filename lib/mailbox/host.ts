import { siteUrl } from "@/lib/env";
import { isOwnHost } from "@/lib/http/host";
import { hasMailbox } from "./queries";

/**
 * The refusal of a request for the mailbox under a name that is not the shop's: the page of another site, on this
 * machine, would read every mail. Undefined for others.
 */
export function refuseForeignHost({ headers }: Pick<Request, "headers">): Response | undefined {
  if (!hasMailbox() || isOwnHost(headers.get("host"), siteUrl())) return undefined;
  return new Response(
    `La boîte aux lettres ne s'ouvre qu'à l'adresse de la boutique\u00a0: ${siteUrl()}/mailbox\n`,
    { status: 421, headers: { "Content-Type": "text/plain; charset=utf-8" } },
  );
}
