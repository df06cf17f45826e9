import { AsyncResource } from "node:async_hooks";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "@playwright/test";
import { after } from "@/lib/http/server/after";
import { afterResponse } from "@/lib/http/server/after-response";
import { currentRequest, RequestContext, runInRequest } from "@/lib/http/server/request-context";

/** Requests a server once; returns what it did, in order, until `until` has happened. */
async function record({ until, isLate = false }: { until: string; isLate?: boolean }) {
  const events: string[] = [];
  const url = "/api/tags";
  let happened = () => {};
  const isDone = new Promise<void>((resolve) => {
    happened = resolve;
  });
  const note = (event: string) => {
    events.push(event);
    if (event === until) happened();
  };
  const run = async () => note(`ran for ${currentRequest()?.url}`);
  const server = createServer((request, response) => {
    runInRequest(new RequestContext(request, response), () => {
      const begin = AsyncResource.bind(() => after(run));
      if (isLate) response.once("close", () => setImmediate(begin));
      else begin();
    });
    response.once("finish", () => note("sent"));
    response.end("[]");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await (await fetch(`http://127.0.0.1:${port}${url}`)).text();
  await isDone;
  server.closeAllConnections();
  server.close();
  return events;
}

test("a callback runs after the response, in the context of its request", async () => {
  expect(await record({ until: "ran for /api/tags" })).toEqual(["sent", "ran for /api/tags"]);
});

test("a callback runs at once if the response has been sent already", async () => {
  const events = await record({ until: "ran for /api/tags", isLate: true });
  expect(events).toEqual(["sent", "ran for /api/tags"]);
});

test("a callback outside of a request does not run", () => {
  afterResponse(() => Promise.reject(new Error("It has run.")));
});
