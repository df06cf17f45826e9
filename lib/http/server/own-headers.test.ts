import { expect, test } from "@playwright/test";
import { LOCAL_HEADER } from "@/lib/http/server/local-peer";
import { PEER_HEADER } from "@/lib/http/server/network";
import { replaceHeaders } from "@/lib/http/server/own-headers";

test("the socket's address overwrites what the client sent in its place", () => {
  const headers = { [PEER_HEADER]: "6.6.6.6", [LOCAL_HEADER]: "1" };
  replaceHeaders({ headers, socket: { remoteAddress: "203.0.113.9" } });
  expect(headers).toEqual({ [PEER_HEADER]: "203.0.113.9" });
});

test("without a proxy, nobody says which request or trace this is", () => {
  const headers = { "x-request-id": "client-0001", traceparent: "00-a-b-01", accept: "*/*" };
  replaceHeaders({ headers, socket: { remoteAddress: "203.0.113.9" } });
  expect(headers).toEqual({ [PEER_HEADER]: "203.0.113.9", accept: "*/*" });
});
