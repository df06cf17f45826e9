import { createHash, randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { deserialize, serialize } from "node:v8";
import { brotliCompress, brotliDecompress, constants as zlib } from "node:zlib";
import Redis from "ioredis";
import { env, siteUrl } from "@/lib/env";
import { CACHE_SECONDS } from "@/lib/http/cache";
import { log } from "@/lib/http/log";
import { purgeEverything } from "@/lib/http/purge";
import {
  type CacheClient,
  CHANGES,
  EVERYTHING,
  entryKey,
  SCRIPTS,
  STATE,
} from "@/lib/http/shared-cache-scripts";

// What instances tell each other by way of Redis: pages and data that one of them has made, and
// which tags are expired. Each keeps its own cache in front (cache-handler.mjs), and goes on with it
// alone while Redis is away. docs/decisions/035 says why nothing stale gets through.

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

/** Milliseconds. A page is rendered in less time than a slow Redis is worth waiting for. */
const FIND_MS = 250;
/** Milliseconds that a write waits for Redis to take notice, before its answer. */
const EXPIRE_MS = 500;
/** Milliseconds between two signs of life of the connection that hears of changes. */
const HEARTBEAT_MS = 1_000;
/** Milliseconds until a connection that says nothing counts as lost. */
const SILENCE_MS = 3_000;
/** Milliseconds between two attempts to connect. */
const RETRY_MS = 200;
/** Milliseconds that the start waits, so that a new instance need not render what others have. */
const START_MS = 1_000;
/** Entries on their way to Redis at a time; more are not shared. */
const MOST_KEPT_AT_ONCE = 16;
/** Bytes. */
const LARGEST_ENTRY = 1024 * 1024;
/** Of more tags at once, it is simpler to expire everything. */
const MANY_TAGS = 2_000;

/** The last change that this instance knew of at some moment. */
export interface Mark {
  epoch: string;
  seq: number;
}

/** A page or datum as Next.js hands it over. */
export interface SharedEntry {
  value: unknown;
  /** When its reading began, in milliseconds since 1970. */
  lastModified: number;
  tags: string[];
  cacheControl?: unknown;
}

/** The process's own cache, as far as others have a say in it. */
export interface OwnStore {
  expireTags(tags: readonly string[]): void;
  expireAll(): void;
}

class Lost extends Error {
  override name = "Lost";
}

async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const timer = new AbortController();
  try {
    return await Promise.race([
      work,
      delay(milliseconds, undefined, { signal: timer.signal }).then(async () => {
        // An answer may have come, and waited for a busy process to look.
        await new Promise(setImmediate);
        throw new Lost(`Redis has not answered within ${milliseconds} ms.`);
      }),
    ]);
  } finally {
    timer.abort();
  }
}

export class SharedCache {
  /**
   * The last change that this instance's own cache has taken in; null while Redis is away. What
   * begins to be read now holds every change up to it.
   */
  mark: Mark | null = null;

  private readonly self = randomUUID();
  private readonly prefix: string;
  /** Up to where the own cache is sound, also while Redis is away. */
  private known: Mark | null = null;
  private link: { commands: CacheClient; reader: CacheClient } | null = null;
  /** Tags that are expired here, which Redis does not know yet. */
  private owed = new Set<string>();
  /** Of them, those that Redis is being told. */
  private readonly sending = new Set<ReadonlySet<string>>();
  private keeping = 0;
  private isAway = false;
  private isStopped = false;

  /** @param namespace what the content of pages depends on besides the database */
  constructor(
    private readonly url: string,
    namespace: readonly unknown[],
    private readonly store: () => OwnStore | undefined,
  ) {
    const digest = createHash("sha256").update(JSON.stringify(namespace));
    this.prefix = digest.digest("base64url").slice(0, 16);
  }

  /** Connects, now and whenever the connection is lost. Settles with the end of the first attempt. */
  start(): Promise<void> {
    return new Promise((resolve) => {
      this.run(resolve);
    });
  }

  stop(): void {
    this.isStopped = true;
    this.drop();
  }

  /** What another instance has made, if it holds every change that concerns it. Never throws. */
  async find(key: string): Promise<SharedEntry | null> {
    const { link, mark } = this;
    if (!link || !mark) return null;
    try {
      const name = this.nameOf(key);
      const finding = link.commands.findEntryBuffer(STATE, name, mark.epoch);
      const content = await within(FIND_MS, finding);
      return content && (deserialize(await decompress(content)) as SharedEntry);
    } catch (error) {
      log.debug({ err: error }, "a shared entry cannot be read");
      return null;
    }
  }

  /**
   * Gives the others what was made here. Never throws.
   *
   * @param mark the one that was valid when its reading began
   */
  async keep({
    key,
    entry,
    mark,
  }: {
    key: string;
    entry: SharedEntry;
    mark: Mark | null | undefined;
  }): Promise<void> {
    const lifetime = entry.lastModified + CACHE_SECONDS * 1000 - Date.now();
    if (!mark || lifetime <= 0 || this.keeping >= MOST_KEPT_AT_ONCE) return;
    this.keeping += 1;
    try {
      const content = await compress(serialize(entry), {
        params: { [zlib.BROTLI_PARAM_QUALITY]: 3 },
      });
      if (content.length > LARGEST_ENTRY || !this.link) return;
      const { epoch, seq } = mark;
      const tags = entry.tags.join(",");
      const name = this.nameOf(key);
      const milliseconds = Math.ceil(lifetime);
      await this.link.commands.keepEntry(STATE, name, epoch, seq, tags, milliseconds, content);
    } catch (error) {
      log.debug({ err: error }, "an entry cannot be shared");
    } finally {
      this.keeping -= 1;
    }
  }

  /**
   * Has every instance expire what depends on the tags; this one has done so already. Settles when
   * Redis knows, or after half a second: then they are told as soon as Redis is back, before anything
   * of it is believed. Never throws.
   */
  async expire(tags: readonly string[]): Promise<void> {
    for (const tag of tags) this.owed.add(tag);
    if (this.owed.size > MANY_TAGS) this.owed = new Set([EVERYTHING]);
    const { link, mark } = this;
    if (!link || !mark) return;
    const settling = this.settle({ client: link.commands, epoch: mark.epoch });
    const settled = settling.catch((error: unknown) => {
      // It may have been given up long ago, and another one be there.
      if (this.link === link) this.drop(error);
    });
    await within(EXPIRE_MS, settled).catch(() => undefined);
  }

  /** @throws what Redis says, or that it has begun anew: the tags are owed as before */
  private async settle({ client, epoch }: { client: CacheClient; epoch: string }): Promise<void> {
    const sent = this.owed;
    if (sent.size === 0) return;
    this.owed = new Set();
    this.sending.add(sent);
    try {
      const tags = sent.has(EVERYTHING) ? [EVERYTHING] : [...sent];
      const expire = (at: string) => client.expireTags(STATE, CHANGES, at, this.self, ...tags);
      let seq = await expire(epoch);
      if (seq === null) {
        // Redis has begun anew. All who follow the changes are told so by this one.
        this.mark = null;
        const [anew] = await this.openEpoch(client);
        seq = await expire(anew);
      }
      if (seq === null) throw new Lost("Redis begins anew again and again.");
      // Our own change needs no way back to be known here.
      if (this.mark?.epoch === epoch && this.mark.seq === Number(seq) - 1)
        this.mark = { epoch, seq: Number(seq) };
    } catch (error) {
      for (const tag of sent) this.owed.add(tag);
      throw error;
    } finally {
      this.sending.delete(sent);
    }
  }

  private async run(settled: () => void): Promise<void> {
    while (!this.isStopped) {
      const reader = this.connection();
      const commands = this.connection();
      this.link = { reader, commands };
      try {
        await Promise.all([reader.connect(), commands.connect()]);
        await this.open(reader);
        this.tell(true);
        settled();
        await this.follow(reader);
      } catch (error) {
        this.drop();
        this.tell(false, error);
        settled();
      }
      if (!this.isStopped) await delay(RETRY_MS);
    }
  }

  private connection(): CacheClient {
    const client = new Redis(this.url, {
      scripts: SCRIPTS,
      lazyConnect: true,
      connectTimeout: SILENCE_MS,
      // A connection that breaks is not mended behind our back: `run` makes a new one.
      retryStrategy: null,
      maxRetriesPerRequest: 0,
      autoResendUnfulfilledCommands: false,
    }) as CacheClient;
    client.on("error", () => undefined);
    client.on("close", () => {
      if (this.link?.reader === client || this.link?.commands === client) this.drop();
    });
    return client;
  }

  /** From here on Redis is not believed, until all has been settled on a new connection. */
  private drop(error?: unknown): void {
    const { link } = this;
    this.mark = null;
    this.link = null;
    // Redis may never hear what is on its way; told twice it does no harm.
    for (const sent of this.sending) for (const tag of sent) this.owed.add(tag);
    if (error !== undefined) this.tell(false, error);
    link?.reader.disconnect();
    link?.commands.disconnect();
  }

  private tell(isThere: boolean, error?: unknown): void {
    if (this.isAway === !isThere || this.isStopped) return;
    this.isAway = !isThere;
    if (isThere) {
      log.info({}, "Redis is back: the cache is shared again");
      // They may hold what this instance served without knowing of a change.
      purgeEverything();
    } else log.warn({ err: error }, "Redis is away: each instance has its own cache");
  }

  private async openEpoch(client: CacheClient): Promise<[epoch: string, last: number]> {
    const known = this.known?.seq ?? 0;
    const [epoch, seq] = await client.openCache(STATE, CHANGES, randomUUID(), known);
    return [epoch, Number(seq)];
  }

  /** Settles what is owed, and has the own cache catch up with the others' changes. */
  private async open(reader: CacheClient): Promise<void> {
    const ask = <T>(work: Promise<T>) => within(SILENCE_MS, work);
    const { known } = this;
    const [epoch, last] = await ask(this.openEpoch(reader));
    let at = known?.seq ?? 0;
    const isContinued = known?.epoch === epoch && at <= last;
    while (isContinued && at < last) {
      const next = this.takeIn({ at, changes: await ask(changesAfter(reader, at)) });
      if (next === at || next === null) break;
      at = next;
    }
    // Missed changes that nobody can tell any more might concern anything.
    if (!isContinued || at < last) {
      this.store()?.expireAll();
      at = last;
    }
    while (this.owed.size > 0) await ask(this.settle({ client: reader, epoch }));
    this.known = { epoch, seq: at };
    this.mark = this.known;
  }

  /** Takes in the others' changes as they come, until the connection is lost. @throws always */
  private async follow(reader: CacheClient): Promise<never> {
    for (;;) {
      const { known } = this;
      if (!known || this.link?.reader !== reader) throw new Lost("The connection is closed.");
      const changes = await within(SILENCE_MS, changesAfter(reader, known.seq, HEARTBEAT_MS));
      const isSame =
        changes.length > 0 ||
        (await within(SILENCE_MS, reader.hget(STATE, "epoch"))) === known.epoch;
      const at = isSame ? this.takeIn({ at: known.seq, changes }) : null;
      if (at === null) {
        this.mark = null;
        await this.open(reader);
        continue;
      }
      this.known = { epoch: known.epoch, seq: at };
      if (this.mark && this.mark.seq < at) this.mark = this.known;
    }
  }

  /** Returns the number of the last change, or null where one is missing before it. */
  private takeIn({ at, changes }: { at: number; changes: readonly Change[] }): number | null {
    let last = at;
    for (const { seq, by, tags } of changes) {
      if (seq !== last + 1) return null;
      last = seq;
      // What was expired by ourselves has been made anew meanwhile.
      if (by === this.self) continue;
      if (tags === EVERYTHING) this.store()?.expireAll();
      else this.store()?.expireTags(tags.split(","));
    }
    return last;
  }

  private nameOf(key: string): string {
    return entryKey(`${this.prefix}:${key}`);
  }
}

interface Change {
  seq: number;
  by: string;
  tags: string;
}

/** @param waiting milliseconds to wait for one; not at all, if not given */
async function changesAfter(reader: CacheClient, seq: number, waiting?: number): Promise<Change[]> {
  const from = ["STREAMS", CHANGES, `${seq}-0`] as const;
  const answer =
    waiting === undefined
      ? await reader.xread("COUNT", 1000, ...from)
      : await reader.xread("COUNT", 1000, "BLOCK", waiting, ...from);
  return (answer?.[0]?.[1] ?? []).map(([id, fields]) => {
    const { by = "", tags = "" } = Object.fromEntries(
      fields.flatMap((field, i) => (i % 2 === 0 ? [[field, fields[i + 1]]] : [])),
    ) as Record<string, string>;
    return { seq: Number.parseInt(id, 10), by, tags };
  });
}

const STORE = Symbol.for("mini-ecommerce.cache");
const SHARED = Symbol.for("mini-ecommerce.shared-cache");
const shared = globalThis as unknown as { [STORE]?: OwnStore; [SHARED]?: SharedCache };

/** Shares the cache where REDIS_URL is given. Called when the server starts; a second call is none. */
export async function startSharedCache(): Promise<void> {
  const { REDIS_URL, MATOMO_URL } = env();
  if (!REDIS_URL || shared[SHARED]) return;
  const cache = new SharedCache(REDIS_URL, [siteUrl(), MATOMO_URL], () => shared[STORE]);
  shared[SHARED] = cache;
  await Promise.race([cache.start(), delay(START_MS, undefined, { ref: false })]);
}
