import { once } from "node:events";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "@playwright/test";
import { noteCatalogueView } from "@/lib/catalogue/view-path";
import { chain, createPipeline } from "@/lib/http/server/pipeline";
import { currentRequest } from "@/lib/http/server/request-context";
import { shopResponseClass } from "@/lib/http/server/response";
import { ShopServer } from "@/lib/http/server/shop-server";

type Next = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** What Next.js gets of a request. */
const seenByNext: Next = async (request, response) => {
  response.setHeader("Content-Type", "text/plain");
  response.end(`Next.js: ${request.method} ${request.url} of ${currentRequest()?.url}`);
};

async function answerTo({
  next = seenByNext,
  ...options
}: http.RequestOptions & { next?: Next }): Promise<{ status: number | undefined; text: string }> {
  const server = new ShopServer({
    ServerResponse: shopResponseClass(),
  });
  server.on("request", createPipeline({ next, noteView: noteCatalogueView, endpoints: undefined }));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const { port } = server.address() as AddressInfo;
    const request = http.request({ port, host: "127.0.0.1", ...options }).end();
    const [answer] = (await once(request, "response")) as [IncomingMessage];
    let text = "";
    for await (const part of answer.setEncoding("utf8")) text += part;
    return { status: answer.statusCode, text };
  } finally {
    await server.stop();
  }
}

test("steps run in their order, until one answers", () => {
  const ran: string[] = [];
  const run = chain([
    (_, next) => {
      ran.push("first");
      next();
    },
    () => void ran.push("second"),
    () => void ran.push("third"),
  ]);
  run({} as never);
  expect(ran).toEqual(["first", "second"]);
});

test("a request that no step answers goes to Next.js, in its context", async () => {
  expect(await answerTo({ path: "/nothing?a=b" })).toEqual({
    status: 200,
    text: "Next.js: GET /nothing?a=b of /nothing?a=b",
  });
  expect((await answerTo({ path: "http://shop.test/contact" })).text).toBe(
    "Next.js: GET /contact of /contact",
  );
});

test("a page that is stored has its canonical address when Next.js renders it", async () => {
  const given = {
    "/?email=a%40b.fr": "/",
    "/product/21?category=3": "/product/21",
    "/products?utm_source=a&page=2&category=3": "/products?category=3&page=2",
    "/products?search=%20th%C3%A9+&email=a": "/products?search=th%C3%A9",
    "/login?retour=/cart": "/login",
  };
  for (const [path, canonical] of Object.entries(given)) {
    expect((await answerTo({ path })).text).toBe(`Next.js: GET ${canonical} of ${path}`);
    const asData = path.includes("?") ? `${path}&_rsc=abc` : `${path}?_rsc=abc`;
    const { text } = await answerTo({ path: asData, headers: { RSC: "1" } });
    const separator = canonical.includes("?") ? "&" : "?";
    expect(text).toBe(`Next.js: GET ${canonical}${separator}_rsc=abc of ${asData}`);
  }
  const personal = "/reset-password/abc?a=b";
  expect((await answerTo({ path: personal })).text).toBe(`Next.js: GET ${personal} of ${personal}`);
});

test("a malformed path or method gets the API's problem or the error page", async () => {
  const address = await answerTo({ path: "/api/products/%E0%A4%A" });
  expect(address.status).toBe(400);
  expect(JSON.parse(address.text)).toMatchObject({
    detail: "L'adresse demandée est mal encodée.",
  });
  expect((await answerTo({ path: "/api/products", method: "TRACE" })).status).toBe(405);
  for (const path of ["/PRODUCTS", "/products#x", "/site/en"])
    expect((await answerTo({ path })).text).toBe(`Next.js: GET /malformed-address of ${path}`);
  expect((await answerTo({ path: "/contact", method: "PROPFIND" })).text).toBe(
    "Next.js: GET /malformed-address of /contact",
  );
});

test("a page of another site does not call the API", async () => {
  const headers = { Origin: "https://autre.exemple" };
  const { status, text } = await answerTo({ path: "/api/products", headers });
  expect([status, JSON.parse(text).detail]).toEqual([
    403,
    "Les pages d'autres sites ne peuvent pas appeler la boutique.",
  ]);
});

test("an error of Next.js ends the request", async () => {
  const isRefused = answerTo({
    path: "/contact",
    next: async () => {
      throw new Error("fails");
    },
  });
  expect(await isRefused).toEqual({ status: 500, text: "" });
});
