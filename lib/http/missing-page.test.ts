import { createServer, get, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "@playwright/test";
import { completeMissingPage } from "@/lib/http/missing-page";

const EMPTY = '<!DOCTYPE html><html id="__next_error__"><head></head><body></body></html>';
const COMPLETE = "<!DOCTYPE html><html><body><h1>Page introuvable</h1> à accents</body></html>";

async function answerOf(listener: RequestListener) {
  const server = createServer((request, response) => {
    completeMissingPage({ response, readPage: () => Buffer.from(COMPLETE) });
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const answer = await new Promise<{ status: number | undefined; text: string }>((resolve) => {
    get({ port, host: "127.0.0.1" }, async (response) => {
      let text = "";
      for await (const part of response.setEncoding("utf8")) text += part;
      resolve({ status: response.statusCode, text });
    });
  });
  await new Promise((resolve) => server.close(resolve));
  return answer;
}

for (const [name, body] of [
  ["a text", EMPTY],
  ["bytes", Buffer.from(EMPTY)],
] as const) {
  test(`an empty page with status 404, sent as ${name}, becomes the complete one`, async () => {
    const answer = await answerOf((_, response) => {
      response.statusCode = 404;
      response.setHeader("Content-Length", body.length);
      response.end(body);
    });
    expect(answer).toEqual({ status: 404, text: COMPLETE });
  });
}

test("so does one that is sent in parts", async () => {
  const answer = await answerOf((_, response) => {
    response.statusCode = 404;
    response.write(EMPTY.slice(0, 60));
    response.write(EMPTY.slice(60));
    response.end();
  });
  expect(answer).toEqual({ status: 404, text: COMPLETE });
});

test("a page that could not be rendered becomes a complete one, headers flushed or not", async () => {
  const answer = await answerOf((_, response) => {
    response.statusCode = 500;
    response.flushHeaders();
    response.write(EMPTY);
    response.end();
  });
  expect(answer).toEqual({ status: 500, text: COMPLETE });
});

test("every other answer is left alone", async () => {
  for (const [status, text] of [
    [200, EMPTY],
    [500, '{"status":500}'],
    [404, '{"status":404}'],
    [404, ""],
  ] as const) {
    const answer = await answerOf((_, response) => {
      response.statusCode = status;
      response.end(text);
    });
    expect(answer).toEqual({ status, text });
  }
});
