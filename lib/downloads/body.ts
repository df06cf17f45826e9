/** Milliseconds that a storage may take for the next bytes once somebody waits for them. */
const PATIENCE = 30_000;

/**
 * Passes bytes on as they are asked for, and holds none. Whoever receives them has been told how
 * many there are: where fewer or more come, or no further ones, the stream breaks off rather than
 * leave a receiver waiting, or with a spoilt file.
 */
export function wholly({
  bytes,
  length,
  patience = PATIENCE,
}: {
  bytes: ReadableStream<Uint8Array>;
  length: number;
  patience?: number;
}): ReadableStream<Uint8Array> {
  const reader = bytes.getReader();
  let left = length;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await inTime({ read: reader.read(), patience });
          left -= value?.byteLength ?? 0;
          if (left < 0 || (done && left > 0))
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

async function inTime<T>({ read, patience }: { read: Promise<T>; patience: number }): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("A storage sends no more.")), patience);
  });
  try {
    return await Promise.race([read, late]);
  } finally {
    clearTimeout(timer);
  }
}
