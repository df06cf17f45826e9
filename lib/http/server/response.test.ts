import { createServer, get, type IncomingHttpHeaders, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "@playwright/test";
import { AUTH_SCRIPT } from "@/lib/http/server/inline-scripts";
import { shopResponseClass } from "@/lib/http/server/response";

const EMPTY = '<!DOCTYPE html><html id="__next_error__"><head></head><body></body></html>';
const COMPLETE = "<!DOCTYPE html><html><body><h1>Page introuvable</h1> à accents</body></html>";
const HTML = "text/html; charset=utf-8";
const CLOSED = "default-src 'none'; frame-ancestors 'none'";

const ShopResponse = shopResponseClass({
  replaceBody: () => Buffer.from(COMPLETE),
  isDevelopment: false,
});

async function answerOf(listener: RequestListener) {
  const server = createServer({ ServerResponse: ShopResponse }, listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const answer = await new Promise<{
    status: number | undefined;
    text: string;
    headers: IncomingHttpHeaders;
  }>((resolve) => {
    get({ port, host: "127.0.0.1" }, async (response) => {
      let text = "";
      for await (const part of response.setEncoding("utf8")) text += part;
      resolve({ status: response.statusCode, text, headers: response.headers });
    });
  });
  await new Promise((resolve) => server.close(resolve));
  return answer;
}

const ways: Record<string, (body: string) => RequestListener> = {
  "as a text": (body) => (_, response) => {
    response.setHeader("Content-Length", Buffer.byteLength(body));
    response.end(body);
  },
  "as bytes": (body) => (_, response) => {
    response.end(Buffer.from(body));
  },
  "in parts": (body) => (_, response) => {
    response.write(body.slice(0, 60));
    response.write(body.slice(60), () => response.end());
  },
  // As Next.js sends what it has stored.
  "as a stream, its headers first": (body) => (_, response) => {
    response.flushHeaders();
    response.write(Buffer.from(body));
    response.end();
  },
};

for (const [way, send] of Object.entries(ways)) {
  for (const status of [404, 500])
    test(`an empty page with status ${status}, sent ${way}, becomes the complete one`, async () => {
      const answer = await answerOf((request, response) => {
        response.statusCode = status;
        response.setHeader("Content-Type", HTML);
        response.setHeader("Content-Security-Policy", "script-src 'sha256-of-the-empty-one'");
        send(EMPTY)(request, response);
      });
      expect(answer).toMatchObject({ status, text: COMPLETE });
      expect(answer.headers["content-security-policy"]).toContain("script-src 'self';");
    });

  test(`a document without a policy, sent ${way}, gets one for what it holds`, async () => {
    const text = `<html><head><script>${AUTH_SCRIPT}</script></head><p>é<script>alert(1)</script></html>`;
    const answer = await answerOf((request, response) => {
      response.statusCode = 500;
      response.setHeader("Content-Type", HTML);
      send(text)(request, response);
    });
    expect(answer).toMatchObject({ status: 500, text });
    expect(answer.headers["content-security-policy"]).toMatch(/script-src 'self' 'sha256-[^']+=';/);
  });
}

test("a prerendered page sent in place of a rendered one may run its own scripts", async () => {
  const text = `<html><head><script>${AUTH_SCRIPT}</script></head></html>`;
  const { headers } = await answerOf((_, response) => {
    response.statusCode = 404;
    response.setHeader("Content-Type", HTML);
    response.setHeader("Content-Security-Policy", "script-src 'self' 'nonce-of-this-request'");
    response.end(text);
  });
  expect(headers["content-security-policy"]).toMatch(/script-src 'self' 'sha256-[^']+=';/);
});

test("every other answer keeps its body, and its policy", async () => {
  for (const [status, type, text] of [
    [200, HTML, EMPTY],
    [500, "application/json", '{"status":500}'],
    [404, "application/json", '{"status":404}'],
    [404, HTML, ""],
  ] as const) {
    const answer = await answerOf((_, response) => {
      response.statusCode = status;
      response.setHeader("Content-Type", type);
      response.setHeader("Content-Security-Policy", "default-src 'self'");
      response.end(text);
    });
    expect(answer).toMatchObject({ status, text });
    expect(answer.headers["content-security-policy"]).toBe("default-src 'self'");
  }
});

test("a response that is no document may load and run nothing, and all have security headers", async () => {
  for (const [type, policy] of [
    ["application/json", undefined],
    ["image/webp", undefined],
    // A page's data brings the policy of its document along.
    ["text/x-component", "script-src 'self'"],
  ] as const) {
    const { headers } = await answerOf((_, response) => {
      response.setHeader("Content-Type", type);
      if (policy) response.setHeader("Content-Security-Policy", policy);
      response.end("x");
    });
    expect(headers["content-security-policy"], type).toBe(CLOSED);
    expect(headers["x-frame-options"], type).toBe("DENY");
    expect(headers["cross-origin-resource-policy"], type).toBe("same-origin");
  }
});

test("headers that an answer has already are left alone", async () => {
  const { headers } = await answerOf((_, response) => {
    response.setHeader("X-Frame-Options", "SAMEORIGIN");
    response.writeHead(204);
    response.end();
  });
  expect(headers["x-frame-options"]).toBe("SAMEORIGIN");
});
