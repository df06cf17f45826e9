import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "@playwright/test";
import { withExactLength } from "@/lib/files/exact-length";

const bytes = (text: string) => new TextEncoder().encode(text);
const book = () => new Response("un livre").body as ReadableStream<Uint8Array>;
const read = (stream: ReadableStream) => new Response(stream).text();

test("a stream passes if it has the announced length, and fails if not", async () => {
  expect(await read(withExactLength({ bytes: book(), length: 8 }))).toBe("un livre");
  for (const length of [7, 9])
    await expect(read(withExactLength({ bytes: book(), length }))).rejects.toThrow(
      "changed while it was sent",
    );
});

test("a storage that stalls is cancelled, a slow receiver is waited for", async () => {
  let left: unknown;
  const silent = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(bytes("un")),
    cancel: (reason) => {
      left = reason;
    },
  });
  await expect(read(withExactLength({ bytes: silent, length: 3, timeout: 20 }))).rejects.toThrow(
    "sends no more",
  );
  expect(left).toBeInstanceOf(Error);

  const parts = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const part of ["un ", "livre"]) controller.enqueue(bytes(part));
      controller.close();
    },
  });
  const reader = withExactLength({ bytes: parts, length: 8, timeout: 200 }).getReader();
  expect((await reader.read()).value).toEqual(bytes("un "));
  await delay(300);
  expect((await reader.read()).value).toEqual(bytes("livre"));
  expect((await reader.read()).done).toBe(true);
});

test("the source is read only on demand, and not after the receiver has cancelled", async () => {
  let asked = 0;
  let isLeft = false;
  const source = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        asked += 1;
        controller.enqueue(bytes("x"));
      },
      cancel() {
        isLeft = true;
      },
    },
    { highWaterMark: 0 },
  );
  const reader = withExactLength({ bytes: source, length: 1000 }).getReader();
  await delay(20);
  expect(asked).toBe(0);
  await reader.read();
  await reader.cancel();
  expect([asked, isLeft]).toEqual([1, true]);
});
