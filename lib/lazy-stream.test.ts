import { expect, test } from "@playwright/test";
import { lazyStream } from "@/lib/lazy-stream";

/** A source that tells what has become of it. */
function source(texts: string[]) {
  const events: string[] = [];
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const text = texts.shift();
      if (text === undefined) controller.close();
      else controller.enqueue(new TextEncoder().encode(text));
    },
    cancel: (reason) => void events.push(`cancelled: ${reason}`),
  });
  return { stream, events };
}

test("nothing is opened before somebody reads, and then it is opened once", async () => {
  const { stream } = source(["one, ", "two"]);
  let opened = 0;
  const lazy = lazyStream(async () => {
    opened += 1;
    return stream;
  });
  await new Promise(setImmediate);
  expect(opened).toBe(0);
  expect(await new Response(lazy).text()).toBe("one, two");
  expect(opened).toBe(1);
});

test("who leaves before reading leaves nothing to be closed", async () => {
  let opened = 0;
  const lazy = lazyStream(async () => {
    opened += 1;
    return source([]).stream;
  });
  await lazy.cancel();
  expect(opened).toBe(0);
});

test("who leaves in between closes it, also where it is only being opened", async () => {
  const read = source(["one", "two"]);
  const reader = lazyStream(async () => read.stream).getReader();
  await reader.read();
  await reader.cancel("gone");
  expect(read.events).toEqual(["cancelled: gone"]);

  const late = source(["one", "two"]);
  let open = () => {};
  const lazy = lazyStream(
    () =>
      new Promise((resolve) => {
        open = () => resolve(late.stream);
      }),
  );
  const waiting = lazy.getReader();
  const first = waiting.read();
  await new Promise(setImmediate);
  const end = waiting.cancel("gone");
  open();
  await end;
  expect(await first).toMatchObject({ done: true });
  expect(late.events).toEqual(["cancelled: gone"]);
});

test("what cannot be opened breaks off, and nobody minds once they have left", async () => {
  const broken = () => lazyStream(() => Promise.reject(new Error("No such picture.")));
  await expect(new Response(broken()).text()).rejects.toThrow("No such picture.");
  const reader = broken().getReader();
  const first = reader.read();
  await reader.cancel();
  expect(await first).toMatchObject({ done: true });
});
