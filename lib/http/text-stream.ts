/**
 * Texts as a stream, made as fast as they are sent. An error before the third text is thrown, and becomes an
 * error response; a later one aborts the connection, so that nobody takes half a file for a whole one.
 */
export async function textStream(
  texts: AsyncIterable<string>,
): Promise<ReadableStream<Uint8Array>> {
  const iterator = texts[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  const first = [await iterator.next(), await iterator.next()];
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = first.shift() ?? (await iterator.next());
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}
