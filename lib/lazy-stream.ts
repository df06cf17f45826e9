/**
 * A stream that is opened at the first read: a response whose client has left before it began is
 * dropped without being cancelled, and an open file or connection would leak.
 */
export function lazyStream(
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
      // A stream that is being opened is closed as soon as it is open.
      cancel: (reason) =>
        opening?.then(
          (reader) => reader.cancel(reason),
          () => undefined,
        ),
    },
    { highWaterMark: 0 },
  );
}
