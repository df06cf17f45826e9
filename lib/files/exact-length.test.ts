import { expect, test } from "@playwright/test";
import { withExactLength } from "@/lib/files/exact-length";

const bytes = (text: string) => new TextEncoder().encode(text);

function streamOf(...parts: string[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(bytes(part));
      controller.close();
    },
  });
}

const read = (stream: ReadableStream) => new Response(stream).text();

test("a stream of exactly the announced length passes", async () => {
  expect(await read(withExactLength({ bytes: streamOf("un ", "livre"), length: 8 }))).toBe(
    "un livre",
  );
});

test("a stream that is shorter or longer than announced fails", async () => {
  for (const length of [7, 9])
    await expect(
      read(withExactLength({ bytes: streamOf("un ", "livre"), length })),
    ).rejects.toThrow("changed while it was sent");
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

  const reader = withExactLength({
    bytes: streamOf("un ", "livre"),
    length: 8,
    timeout: 200,
  }).getReader();
  expect((await reader.read()).value).toEqual(bytes("un "));
  await new Promise((resolve) => setTimeout(resolve, 300));
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
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(asked).toBe(0);
  await reader.read();
  await reader.cancel();
  expect([asked, isLeft]).toEqual([1, true]);
});
