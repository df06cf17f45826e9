// @ts-check
import { randomUUID } from "node:crypto";
import { deserialize, serialize } from "node:v8";
import { Redis } from "ioredis";

// The cache that instances share. An entry names Redis's time before its data was read; each tag, Redis's time when it
// last expired. An entry is valid while none of its tags has a later time: no clock but Redis's own counts. A Redis that was
// restarted or flushed may have lost such times: entries from before are invalid.

/**
 * @typedef {import("./cache-handler.mjs").Entry} Entry
 * @typedef {{ info(fields: object, text: string): void, warn(fields: object, text: string): void }} Log
 */

/** Seconds that an entry may be read: at least as long as any page is fresh. */
const ENTRY_SECONDS = 300;
/** Seconds that the time of a tag is kept: longer than any entry, however long its rendering took. */
const TAG_SECONDS = 3 * ENTRY_SECONDS;
const MAX_ENTRY_BYTES = 1024 * 1024;
/** Writes that wait for Redis; more are left out. */
const MAX_PENDING_WRITES = 50;
/** With more tags to send, everything is expired instead: the tag of every entry. */
const MAX_PENDING_TAGS = 2_000;
const EVERYTHING = "*";
/** Milliseconds. */
const COMMAND_TIMEOUT = 500;
const HEARTBEAT = 5_000;

/** Microseconds since 1970 by Redis's clock. */
const TIME = "local t = redis.call('TIME') local now = t[1] * 1000000 + t[2]";
/** Also notes since when this run of Redis has known every expired tag. */
const FIND = `${TIME}
local since = KEYS[2] .. ':' .. redis.call('INFO', 'server'):match('run_id:(%w+)')
redis.call('SET', since, string.format('%d', now), 'NX')
return { string.format('%d', now), redis.call('GET', since), redis.call('GET', KEYS[1]) }`;
const EXPIRE = `${TIME}
for i = 1, #KEYS do redis.call('SET', KEYS[i], string.format('%d', now), 'EX', ${TAG_SECONDS}) end
return redis.call('PUBLISH', ARGV[1], ARGV[2])`;

const OPTIONS = {
  connectTimeout: 2_000,
  commandTimeout: COMMAND_TIMEOUT,
  maxRetriesPerRequest: 1,
  // While Redis is away, a command fails at once.
  enableOfflineQueue: false,
  retryStrategy: (/** @type {number} */ attempt) => Math.min(100 * attempt, 1_000),
};

export class RedisCache {
  #instance = randomUUID();
  #pendingWrites = 0;
  /** @type {Set<string>} Tags that Redis does not know to be expired yet. */
  #pendingTags = new Set();
  #isAway = false;
  #commands;
  #prefix;
  #local;
  #log;

  /**
   * @param {object} options
   * @param {string} options.url
   * @param {string} options.namespace what entries depend on besides the database: the build, the configuration
   * @param {{ expireTags(tags: readonly string[]): void, expireAll(): void }} options.local
   * @param {Log} options.log
   */
  constructor({ url, namespace, local, log }) {
    this.#prefix = `mini-ecommerce:${namespace}`;
    this.#local = local;
    this.#log = log;
    this.#commands = new Redis(url, OPTIONS);
    this.#commands.on("error", (error) => this.#setAway(error));
    this.#commands.on("ready", () => void this.#sendPending());
    /** Settles at the first connection. */
    this.connected = new Promise((resolve) => this.#commands.once("ready", resolve));
    const listener = new Redis(url, { ...OPTIONS, autoResubscribe: false });
    listener.on("error", (error) => this.#setAway(error));
    listener.on("ready", () => void this.#listen(listener));
    listener.on("message", (_, text) => this.#apply(text));
    // A connection that has silently died is closed, and opened again.
    setInterval(() => {
      if (listener.status === "ready") listener.ping().catch(() => listener.disconnect(true));
    }, HEARTBEAT).unref();
  }

  /**
   * @param {string} key
   * @returns {Promise<{ time: number, entry: Entry | null } | null>} Redis's time, and the entry if it is valid; null
   *   while Redis is away
   */
  async find(key) {
    try {
      // Entries are refused while Redis does not know of this instance's own changes.
      if (this.#pendingTags.size > 0) return null;
      const keys = [this.#entryKey(key), `${this.#prefix}:since`];
      const reply = await this.#commands.callBuffer("EVAL", FIND, keys.length, ...keys);
      const [time, since, content] = /** @type {[Buffer, Buffer, Buffer | null]} */ (reply);
      const entry = content && (await this.#valid(deserialize(content), Number(since)));
      return { time: Number(time), entry };
    } catch {
      return null;
    }
  }

  /** @param {Entry & { time: number }} stored @param {number} since */
  async #valid({ time, ...entry }, since) {
    if (time < since) return null;
    const keys = [EVERYTHING, ...entry.tags].map((tag) => this.#tagKey(tag));
    const times = await this.#commands.mget(keys);
    return times.some((expired) => Number(expired) >= time) ? null : entry;
  }

  /** @param {{ key: string, entry: Entry, time: number }} options `time`: Redis's, before the entry's data was read */
  async keep({ key, entry, time }) {
    const content = serialize({ ...entry, time });
    if (content.length > MAX_ENTRY_BYTES || this.#pendingWrites >= MAX_PENDING_WRITES) return;
    this.#pendingWrites += 1;
    await this.#commands.set(this.#entryKey(key), content, "EX", ENTRY_SECONDS).catch(() => null);
    this.#pendingWrites -= 1;
  }

  /**
   * Settles when Redis has the tags. While it is away they stay pending, and are sent when it is back.
   *
   * @param {readonly string[]} tags
   */
  async expire(tags) {
    for (const tag of tags) this.#pendingTags.add(tag);
    if (this.#pendingTags.size > MAX_PENDING_TAGS) this.#pendingTags = new Set([EVERYTHING]);
    await this.#sendPending();
  }

  async #sendPending() {
    const tags = [...this.#pendingTags];
    if (tags.length === 0) return;
    const keys = tags.map((tag) => this.#tagKey(tag));
    const message = JSON.stringify({ from: this.#instance, tags });
    try {
      await this.#commands.eval(EXPIRE, keys.length, ...keys, this.#channel, message);
      for (const tag of tags) this.#pendingTags.delete(tag);
    } catch (error) {
      // An earlier call, which Redis still answered, may have removed them.
      for (const tag of tags) this.#pendingTags.add(tag);
      this.#setAway(error);
    }
  }

  /** @param {Redis} listener */
  async #listen(listener) {
    try {
      await listener.subscribe(this.#channel);
      // Changes may have been missed.
      this.#local.expireAll();
      if (this.#isAway) this.#log.info({}, "Redis is back: the cache is shared again");
      this.#isAway = false;
    } catch {
      listener.disconnect(true);
    }
  }

  /** @param {string} text */
  #apply(text) {
    const { from, tags } = JSON.parse(text);
    if (from === this.#instance) return;
    if (tags.includes(EVERYTHING)) this.#local.expireAll();
    else this.#local.expireTags(tags);
  }

  /** @param {unknown} error */
  #setAway(error) {
    if (!this.#isAway)
      this.#log.warn({ err: error }, "Redis is away: each instance has its own cache");
    this.#isAway = true;
  }

  /** @param {string} key */
  #entryKey = (key) => `${this.#prefix}:entry:${key}`;
  /** @param {string} tag */
  #tagKey = (tag) => `${this.#prefix}:tag:${tag}`;
  get #channel() {
    return `${this.#prefix}:expired`;
  }
}
