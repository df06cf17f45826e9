/**
 * A stream that is opened when somebody begins to read it: an answer whose visitor has left before it
 * began is dropped without a word, and what it held open would stay open.
 */
export function lazily(
  open: () => Promise<ReadableStream<Uint8Array>>,
): ReadableStream<Uint8Array> {
  let opening: Promise<ReadableStreamDefaultReader<Uint8Array>> | undefined;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        opening ??= open().then((stream) => stream.getReader());
        const { done, value } = await (await opening).read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      // What is being opened at this moment is closed as soon as it is open.
      cancel: (reason) =>
        opening?.then(
          (reader) => reader.cancel(reason),
          () => undefined,
        ),
    },
    { highWaterMark: 0 },
  );
}
