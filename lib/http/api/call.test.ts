import { expect, test } from "@playwright/test";
import { forgetEnv } from "@/lib/env";
import { answersCalls } from "@/lib/http/api/call";
import { problem } from "@/lib/http/api/problem";

const environment = { ...process.env };

function configure(variables: Record<string, string>): void {
  process.env = {
    ...environment,
    LOG_LEVEL: "silent",
    SITE_URL: "https://shop.test",
    ...variables,
  };
  forgetEnv();
}

test.afterAll(() => {
  process.env = environment;
  forgetEnv();
});

const failing = answersCalls(async (request) => problem(new Error("a fault"), { request }));

async function call(headers: Record<string, string>) {
  const request = new Request("https://shop.test/api/things", { headers });
  const response = await failing(request, { params: Promise.resolve({}) });
  return { response, body: await response.json() };
}

test("a call has one id, which is a proxy's only behind a trusted proxy", async () => {
  const sent = { "X-Request-Id": "proxy-1234" };
  configure({ TRUST_PROXY: "1" });
  const known = await call(sent);
  expect(known.response.headers.get("x-request-id")).toBe("proxy-1234");
  expect(known.body.requestId).toBe("proxy-1234");
  configure({ TRUST_PROXY: "0" });
  const own = await call(sent);
  expect(own.body.requestId).toMatch(/^[0-9a-f-]{36}$/);
  expect(own.response.headers.get("x-request-id")).toBe(own.body.requestId);
});

test("pages of other origins are refused, and caches told apart where some are allowed", async () => {
  configure({ CORS_ORIGINS: "https://partner.test" });
  const statusOf = async (headers: Record<string, string>) => (await call(headers)).response.status;
  // 500: the route has been called.
  expect(await statusOf({})).toBe(500);
  expect(await statusOf({ Origin: "https://shop.test" })).toBe(500);
  expect(await statusOf({ Origin: "https://pirate.test" })).toBe(403);
  expect(await statusOf({ Origin: "null" })).toBe(403);
  const { response } = await call({ Origin: "https://partner.test" });
  expect(response.headers.get("access-control-allow-origin")).toBe("https://partner.test");
  expect(response.headers.get("vary")).toBe("Accept, Origin");
});
