import { env } from "@/lib/env";
import { QUERY_HEADER } from "@/lib/http/headers";
import { POLICY_HEADER } from "@/lib/http/server/content-security";
import type { Step } from "@/lib/http/server/exchange";

/** The shop's own: by a policy, a client would have Next.js write its nonce into a page. */
const OWN_HEADERS = [POLICY_HEADER, `${POLICY_HEADER}-report-only`, QUERY_HEADER];

/** Headers that only a proxy may set: the request's id, and the trace that it is part of. */
const PROXY_HEADERS = ["x-request-id", "traceparent", "tracestate", "baggage"];

/** Removes the headers that a client must not set. */
export const removeOwnHeaders: Step = ({ request: { headers } }, next) => {
  for (const name of OWN_HEADERS) delete headers[name];
  if (env().TRUST_PROXY === 0) for (const name of PROXY_HEADERS) delete headers[name];
  next();
};
