/** Milliseconds to wait for the next bytes of a storage. */
const TIMEOUT_MS = 30_000;

/**
 * Passes a stream on without buffering. The receiver has been told its length: if fewer or more bytes
 * come, or none in time, the stream fails, rather than leave the receiver waiting or with a corrupt
 * file.
 */
export function withExactLength({
  bytes,
  length,
  timeout = TIMEOUT_MS,
}: {
  bytes: ReadableStream<Uint8Array>;
  length: number;
  timeout?: number;
}): ReadableStream<Uint8Array> {
  const reader = bytes.getReader();
  let remaining = length;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await withTimeout({ read: reader.read(), timeout });
          remaining -= value?.byteLength ?? 0;
          if (remaining < 0 || (done && remaining > 0))
            throw new Error("A file has changed while it was sent.");
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          controller.error(error);
          await reader.cancel(error).catch(() => undefined);
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

async function withTimeout<T>({
  read,
  timeout,
}: {
  read: Promise<T>;
  timeout: number;
}): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("A storage sends no more.")), timeout);
  });
  try {
    return await Promise.race([read, late]);
  } finally {
    clearTimeout(timer);
  }
}
