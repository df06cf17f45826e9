import { expect, test } from "@playwright/test";
import type { Exchange } from "@/lib/http/server/exchange";
import { removeOwnHeaders } from "@/lib/http/server/own-headers";

const removeFrom = (headers: Record<string, string>) =>
  removeOwnHeaders({ request: { headers } } as unknown as Exchange, () => undefined);

test("a client does not choose a page's nonce", () => {
  const headers = { "content-security-policy": "script-src 'nonce-mine'", accept: "*/*" };
  removeFrom(headers);
  expect(headers).toEqual({ accept: "*/*" });
});

test("without a proxy, a client cannot set the request id or trace", () => {
  const headers = { "x-request-id": "client-0001", traceparent: "00-a-b-01", accept: "*/*" };
  removeFrom(headers);
  expect(headers).toEqual({ accept: "*/*" });
});
