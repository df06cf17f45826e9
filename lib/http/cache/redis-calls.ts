import { setTimeout as delay } from "node:timers/promises";
import Redis from "ioredis";
import { type CacheClient, CHANGES, SCRIPTS } from "@/lib/http/cache/shared-cache-scripts";

// What the shared cache (shared-cache.ts) asks of Redis.

/** Milliseconds without a response after which a connection counts as lost. */
export const CONNECTION_TIMEOUT_MS = 3_000;

export class ConnectionLost extends Error {
  override name = "Lost";
}

export async function withTimeout<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const timer = new AbortController();
  try {
    return await Promise.race([
      work,
      delay(milliseconds, undefined, { signal: timer.signal }).then(async () => {
        // The response may have arrived while the event loop was busy.
        await new Promise(setImmediate);
        throw new ConnectionLost(`Redis has not answered within ${milliseconds} ms.`);
      }),
    ]);
  } finally {
    timer.abort();
  }
}

/** A position in the stream of changes. */
export interface Position {
  epoch: string;
  seq: number;
}

export interface Change {
  seq: number;
  by: string;
  tags: string;
}

/** @param blockMs milliseconds to wait for a change; none, if not given */
export async function changesAfter(
  reader: CacheClient,
  seq: number,
  blockMs?: number,
): Promise<Change[]> {
  const from = ["STREAMS", CHANGES, `${seq}-0`] as const;
  const answer =
    blockMs === undefined
      ? await reader.xread("COUNT", 1000, ...from)
      : await reader.xread("COUNT", 1000, "BLOCK", blockMs, ...from);
  return (answer?.[0]?.[1] ?? []).map(([id, fields]) => {
    const { by = "", tags = "" } = Object.fromEntries(
      fields.flatMap((field, i) => (i % 2 === 0 ? [[field, fields[i + 1]]] : [])),
    ) as Record<string, string>;
    return { seq: Number.parseInt(id, 10), by, tags };
  });
}

/** A connection that is not opened again by itself. */
export function openClient(url: string, onClose: (client: CacheClient) => void): CacheClient {
  const client = new Redis(url, {
    scripts: SCRIPTS,
    lazyConnect: true,
    connectTimeout: CONNECTION_TIMEOUT_MS,
    // The cache reconnects, since it has to be synchronized.
    retryStrategy: null,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
  }) as CacheClient;
  client.on("error", () => undefined);
  client.on("close", () => onClose(client));
  return client;
}
