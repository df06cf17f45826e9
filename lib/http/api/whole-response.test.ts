import { expect, test } from "@playwright/test";
import { WholeResponse } from "@/lib/http/api/whole-response";

const make = (content: string | Uint8Array = '{"a":"é"}') =>
  new WholeResponse(content, { status: 201, headers: { "Content-Type": "application/json" } });

test("a whole response is read like any other", async () => {
  expect(await make().text()).toBe('{"a":"é"}');
  expect(await make().json()).toEqual({ a: "é" });
  expect(Buffer.from(await make().arrayBuffer()).toString()).toBe('{"a":"é"}');
  expect(await make(new Uint8Array([104, 105])).text()).toBe("hi");
});

test("a whole response can be copied with its body, as Next.js does for cookies", async () => {
  const { body, status, headers } = make();
  const copy = new Response(body, { status, headers });
  expect(copy.status).toBe(201);
  expect(copy.headers.get("content-type")).toBe("application/json");
  expect(await copy.json()).toEqual({ a: "é" });
});

test("a whole response has one body, which is read once", async () => {
  const response = make();
  expect(response.body).toBe(response.body);
  await response.body?.cancel();
  await expect(response.text()).rejects.toThrow();
});
