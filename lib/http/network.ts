import { env } from "@/lib/env";
import { clientNetwork } from "@/lib/http/client-address";

/** Where a request comes from, for limits that domain code counts itself. */
export function networkOf({ headers }: Request): string {
  return clientNetwork(headers, env().TRUST_PROXY);
}
