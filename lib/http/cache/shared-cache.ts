import { createHash, randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { deserialize, serialize } from "node:v8";
import { brotliDecompress } from "node:zlib";
import { CACHE_SECONDS } from "@/lib/http/cache/cache";
import { packBrotli } from "@/lib/http/cache/packed";
import { purgeEverything } from "@/lib/http/cache/purge";
import {
  type Change,
  CONNECTION_TIMEOUT_MS,
  ConnectionLost,
  changesAfter,
  openClient,
  type Position,
  withTimeout,
} from "@/lib/http/cache/redis-calls";
import {
  type CacheClient,
  CHANGES,
  EVERYTHING,
  entryKey,
  STATE,
} from "@/lib/http/cache/shared-cache-scripts";
import type { Entry, Store } from "@/lib/http/cache/store";
import type { CacheValue } from "@/lib/http/cache/stored-values";
import { log } from "@/lib/http/server/log";

// The cache that instances share through Redis: rendered pages and data, and which tags have expired.
// Each instance has a local cache in front (store.ts), and works with that alone while Redis
// is unreachable. docs/decisions/035 explains why nothing stale is served.

const decompress = promisify(brotliDecompress);

/** Milliseconds. Rendering a page takes less time than waiting longer for a slow Redis. */
const READ_TIMEOUT_MS = 250;
/** Milliseconds that a write waits for Redis before its response. */
const EXPIRE_TIMEOUT_MS = 500;
/** Milliseconds between two heartbeats of the connection that follows the changes. */
const HEARTBEAT_MS = 1_000;
/** Milliseconds between two attempts to connect. */
const RETRY_MS = 200;
/** Entries being written to Redis at a time; more are not shared. */
const MAX_PENDING_WRITES = 16;
const MAX_ENTRY_BYTES = 1024 * 1024;
/** With more pending tags, everything is expired instead. */
const MAX_PENDING_TAGS = 2_000;

/** A page or value as Next.js passes it; `lastModified` is when its rendering began. */
export type SharedEntry = Pick<Entry, "lastModified" | "tags" | "cacheControl"> & {
  value: CacheValue;
};

export class SharedCache {
  /**
   * The last change that the local cache has applied; null while Redis is unreachable. What is read
   * from now on includes every change up to it.
   */
  mark: Position | null = null;

  private readonly instanceId = randomUUID();
  private readonly prefix: string;
  /** As `mark`, but kept while Redis is unreachable. */
  private synced: Position | null = null;
  private connections: { commands: CacheClient; reader: CacheClient } | null = null;
  /** Tags expired locally, not yet in Redis. */
  private pendingTags = new Set<string>();
  /** Batches of tags being sent to Redis. */
  private readonly sending = new Set<ReadonlySet<string>>();
  private pendingWrites = 0;
  private isDisconnected = false;
  private isStopped = false;

  /** @param namespace settings that pages depend on besides the database */
  constructor(
    private readonly url: string,
    namespace: readonly unknown[],
    private readonly store: Pick<Store, "expireTags" | "expireAll">,
  ) {
    const digest = createHash("sha256").update(JSON.stringify(namespace));
    this.prefix = digest.digest("base64url").slice(0, 16);
  }

  /** Connects, and reconnects whenever the connection is lost. Settles after the first attempt. */
  start(): Promise<void> {
    return new Promise((resolve) => void this.run(resolve));
  }

  stop(): void {
    this.isStopped = true;
    this.disconnect();
  }

  /** The entry of another instance, if it has not expired. Never throws. */
  async find(key: string): Promise<SharedEntry | null> {
    const { connections, mark } = this;
    if (!connections || !mark) return null;
    try {
      const name = entryKey(`${this.prefix}:${key}`);
      const finding = connections.commands.findEntryBuffer(STATE, name, mark.epoch);
      const content = await withTimeout(READ_TIMEOUT_MS, finding);
      return content && (deserialize(await decompress(content)) as SharedEntry);
    } catch (error) {
      log.debug({ err: error }, "a shared entry cannot be read");
      return null;
    }
  }

  /**
   * Shares an entry with the other instances. Never throws.
   *
   * @param mark of the moment when its rendering began
   */
  async keep({
    key,
    entry,
    mark,
  }: {
    key: string;
    entry: SharedEntry;
    mark: Position | null | undefined;
  }): Promise<void> {
    const lifetime = entry.lastModified + CACHE_SECONDS * 1000 - Date.now();
    if (!mark || lifetime <= 0 || this.pendingWrites >= MAX_PENDING_WRITES) return;
    this.pendingWrites += 1;
    try {
      const content = await packBrotli(serialize(entry));
      if (content.length > MAX_ENTRY_BYTES || !this.connections) return;
      const { epoch, seq } = mark;
      const tags = entry.tags.join(",");
      const name = entryKey(`${this.prefix}:${key}`);
      const milliseconds = Math.ceil(lifetime);
      const { commands } = this.connections;
      await commands.keepEntry(STATE, name, epoch, seq, tags, milliseconds, content);
    } catch (error) {
      log.debug({ err: error }, "an entry cannot be shared");
    } finally {
      this.pendingWrites -= 1;
    }
  }

  /**
   * Expires the tags on every other instance. Settles when Redis has them, or after half a second: then
   * they stay pending, and are sent as soon as Redis is back, before any entry is read. Never throws.
   */
  async expire(tags: readonly string[]): Promise<void> {
    for (const tag of tags) this.pendingTags.add(tag);
    if (this.pendingTags.size > MAX_PENDING_TAGS) this.pendingTags = new Set([EVERYTHING]);
    const { connections, mark } = this;
    if (!connections || !mark) return;
    const sending = this.sendPendingTags(connections.commands, mark.epoch);
    const settled = sending.catch((error: unknown) => {
      // The connection may have been replaced meanwhile.
      if (this.connections === connections) this.disconnect(error);
    });
    await withTimeout(EXPIRE_TIMEOUT_MS, settled).catch(() => undefined);
  }

  /** @throws the error of Redis, or that it lost its state: the tags stay pending */
  private async sendPendingTags(client: CacheClient, epoch: string): Promise<void> {
    const sent = this.pendingTags;
    if (sent.size === 0) return;
    this.pendingTags = new Set();
    this.sending.add(sent);
    try {
      const tags = sent.has(EVERYTHING) ? [EVERYTHING] : [...sent];
      const expire = (at: string) =>
        client.expireTags(STATE, CHANGES, at, this.instanceId, ...tags);
      let seq = await expire(epoch);
      if (seq === null) {
        // Redis has lost its state. The new epoch tells all instances.
        this.mark = null;
        const [newEpoch] = await this.openEpoch(client);
        seq = await expire(newEpoch);
      }
      if (seq === null) throw new ConnectionLost("Redis loses its state again and again.");
      // The local cache has applied this change already.
      if (this.mark?.epoch === epoch && this.mark.seq === Number(seq) - 1)
        this.mark = { epoch, seq: Number(seq) };
    } catch (error) {
      for (const tag of sent) this.pendingTags.add(tag);
      throw error;
    } finally {
      this.sending.delete(sent);
    }
  }

  private async run(settled: () => void): Promise<void> {
    while (!this.isStopped) {
      const open = () =>
        openClient(this.url, (closed) => {
          const { reader, commands } = this.connections ?? {};
          if (closed === reader || closed === commands) this.disconnect();
        });
      const [reader, commands] = [open(), open()];
      this.connections = { reader, commands };
      try {
        await Promise.all([reader.connect(), commands.connect()]);
        await this.synchronize(reader);
        this.setConnected(true);
        settled();
        await this.follow(reader);
      } catch (error) {
        this.disconnect();
        this.setConnected(false, error);
        settled();
      }
      if (!this.isStopped) await delay(RETRY_MS);
    }
  }

  /** Nothing is read from Redis until a new connection is synchronized. */
  private disconnect(error?: unknown): void {
    const { connections } = this;
    this.mark = null;
    this.connections = null;
    // Tags being sent may be lost; sending them twice does no harm.
    for (const sent of this.sending) for (const tag of sent) this.pendingTags.add(tag);
    if (error !== undefined) this.setConnected(false, error);
    connections?.reader.disconnect();
    connections?.commands.disconnect();
  }

  private setConnected(isConnected: boolean, error?: unknown): void {
    if (this.isDisconnected === !isConnected || this.isStopped) return;
    this.isDisconnected = !isConnected;
    if (isConnected) {
      log.info({}, "Redis is back: the cache is shared again");
      // The caches in front may hold what this instance served without knowing of a change.
      purgeEverything();
    } else log.warn({ err: error }, "Redis is away: each instance has its own cache");
  }

  private async openEpoch(client: CacheClient): Promise<[epoch: string, last: number]> {
    const known = this.synced?.seq ?? 0;
    const [epoch, seq] = await client.openCache(STATE, CHANGES, randomUUID(), known);
    return [epoch, Number(seq)];
  }

  /** Applies the others' changes that the local cache has missed, and sends the pending tags. */
  private async synchronize(reader: CacheClient): Promise<void> {
    const limited = <T>(work: Promise<T>) => withTimeout(CONNECTION_TIMEOUT_MS, work);
    const { synced } = this;
    const [epoch, last] = await limited(this.openEpoch(reader));
    let at = synced?.seq ?? 0;
    const isContinued = synced?.epoch === epoch && at <= last;
    while (isContinued && at < last) {
      const next = this.applyChanges({ at, changes: await limited(changesAfter(reader, at)) });
      if (next === at || next === null) break;
      at = next;
    }
    // Missed changes that Redis no longer has might concern anything.
    if (!isContinued || at < last) {
      this.store.expireAll();
      at = last;
    }
    while (this.pendingTags.size > 0) await limited(this.sendPendingTags(reader, epoch));
    this.synced = { epoch, seq: at };
    this.mark = this.synced;
  }

  /** Applies the others' changes as they come, until the connection is lost. @throws always */
  private async follow(reader: CacheClient): Promise<never> {
    for (;;) {
      const { synced } = this;
      if (!synced || this.connections?.reader !== reader)
        throw new ConnectionLost("The connection is closed.");
      const changes = await withTimeout(
        CONNECTION_TIMEOUT_MS,
        changesAfter(reader, synced.seq, HEARTBEAT_MS),
      );
      const isSame =
        changes.length > 0 ||
        (await withTimeout(CONNECTION_TIMEOUT_MS, reader.hget(STATE, "epoch"))) === synced.epoch;
      const at = isSame ? this.applyChanges({ at: synced.seq, changes }) : null;
      if (at === null) {
        this.mark = null;
        await this.synchronize(reader);
        continue;
      }
      this.synced = { epoch: synced.epoch, seq: at };
      if (this.mark && this.mark.seq < at) this.mark = this.synced;
    }
  }

  /** Returns the number of the last change, or null where one is missing before it. */
  private applyChanges({ at, changes }: { at: number; changes: readonly Change[] }): number | null {
    let last = at;
    for (const { seq, by, tags } of changes) {
      if (seq !== last + 1) return null;
      last = seq;
      // Expired here already, and maybe rendered again since.
      if (by === this.instanceId) continue;
      if (tags === EVERYTHING) this.store.expireAll();
      else this.store.expireTags(tags.split(","));
    }
    return last;
  }
}
