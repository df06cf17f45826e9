import { expect, test } from "@playwright/test";
import { removeHeaders } from "@/lib/http/server/own-headers";

test("a client does not choose a page's nonce", () => {
  const headers = { "content-security-policy": "script-src 'nonce-mine'", accept: "*/*" };
  removeHeaders({ headers });
  expect(headers).toEqual({ accept: "*/*" });
});

test("without a proxy, nobody says which request or trace this is", () => {
  const headers = { "x-request-id": "client-0001", traceparent: "00-a-b-01", accept: "*/*" };
  removeHeaders({ headers });
  expect(headers).toEqual({ accept: "*/*" });
});
