// @ts-check
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { deserialize, serialize } from "node:v8";
import { brotliCompress, brotliDecompressSync, constants, gunzipSync, gzip } from "node:zlib";
import { LRUCache } from "lru-cache";
import { boundCacheControls } from "./lib/workarounds/next-cache-controls.mjs";

// The cache of pages and data that Next.js reads and writes (`cacheHandler` in next.config.ts), in memory and of bounded
// size. With REDIS_URL, instances share it: cache-redis.mjs. Next.js loads this file itself, and bundles it once more for
// the shop's code (lib/http/cache/cache.ts): both use the state below.

/**
 * @typedef {{ kind: string, html?: any, text?: string, headers?: Record<string, any>, status?: number, tags?: string[] }} Value
 *   As Next.js passes it; `html` only of pages, `text` only of the shop's own texts.
 * @typedef {{ revalidate?: number | false }} CacheControl Seconds until the entry is rendered again.
 * @typedef {object} Entry
 * @property {number} lastModified When the rendering began, in milliseconds since 1970.
 * @property {number} began The same by this process's clock, when it came from another instance.
 * @property {readonly string[]} tags
 * @property {CacheControl | undefined} cacheControl
 * @property {string | undefined} name A page's header `x-page-key`: its key and, behind a space, a hash of its content.
 * @property {Buffer | null} document A page's HTML in gzip.
 * @property {Buffer} rest Everything else of the value, serialized, in Brotli.
 * @typedef {(page: { key: string, value: Value, tags: readonly string[], cacheControl: CacheControl | undefined }) => boolean} BeforeStore
 */

const MEBIBYTE = 1024 * 1024;
/** Compressed entries: the pages of some 2,200 products. */
const MAX_BYTES = 80 * MEBIBYTE;
/** Recently read values, uncompressed. */
const MAX_UNPACKED_BYTES = 16 * MEBIBYTE;
/** Milliseconds that the start waits for Redis. */
const CONNECTION_TIMEOUT = 1_000;
/** With more expired tags, everything is expired instead. */
const MAX_EXPIRED_TAGS = 50_000;

const gzipped = promisify(gzip);
const brotli = promisify(brotliCompress);
/** As fast as gzip, and a third smaller: a page's data holds each text twice, farther apart than gzip looks back. */
const FAST = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

const createState = () => ({
  /** @type {LRUCache<string, Entry>} */
  entries: new LRUCache({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ document, rest }) => (document?.length ?? 0) + rest.length + 1_000,
  }),
  /** @type {LRUCache<Entry, { value: Value, size: number }>} */
  unpacked: new LRUCache({ maxSize: MAX_UNPACKED_BYTES, sizeCalculation: ({ size }) => size }),
  /** @type {Map<string, number>} When each tag was last expired, and all of them. */
  expiredAt: new Map(),
  allExpiredAt: 0,
  /** @type {BeforeStore} Until the shop gives its own, no page is stored. */
  beforeStore: () => false,
  /** @type {import("./cache-redis.mjs").RedisCache | undefined} */
  redis: undefined,
});

const KEY = Symbol.for("mini-ecommerce.cache");
const holder = /** @type {Record<symbol, ReturnType<typeof createState>>} */ (
  /** @type {unknown} */ (globalThis)
);
holder[KEY] ??= createState();
const state = holder[KEY];

const now = () => performance.timeOrigin + performance.now();

/**
 * Has a page or value changed since it was read? It may be stored after a change that it does not contain.
 *
 * @param {Pick<Entry, "tags" | "began">} entry
 */
const isExpired = ({ tags, began }) =>
  state.allExpiredAt >= began || tags.some((tag) => (state.expiredAt.get(tag) ?? 0) >= began);

/** @param {string} key @returns {Entry | null} null where there is none, or where a tag of it has expired */
function find(key) {
  const entry = state.entries.get(key);
  if (entry && !isExpired(entry)) return entry;
  state.entries.delete(key);
  return null;
}

/** @param {Entry} entry @returns {Value} */
function unpack(entry) {
  const known = state.unpacked.get(entry);
  if (known) return known.value;
  const rest = brotliDecompressSync(entry.rest);
  const value = deserialize(rest);
  if (entry.document) value.html = gunzipSync(entry.document).toString();
  state.unpacked.set(entry, { value, size: 1_000 + rest.length + 2 * (value.html?.length ?? 0) });
  return value;
}

/** @param {Value} value @returns {Promise<Pick<Entry, "document" | "rest">>} */
async function pack(value) {
  const hasDocument = typeof value.html === "string";
  const { html, ...others } = value;
  const [document, rest] = await Promise.all([
    hasDocument ? gzipped(html) : null,
    brotli(serialize(hasDocument ? others : value), FAST),
  ]);
  return { document: document && exact(document), rest: exact(rest) };
}

/** zlib gives a slice of a larger buffer, which would stay in memory. @param {Buffer} bytes */
const exact = (bytes) => Buffer.from(Uint8Array.prototype.slice.call(bytes).buffer);

/** Next.js creates one per request, and so knows when its rendering began. */
export default class CacheHandler {
  /** @type {Map<string, { at: number, redisTime: number | null }>} */
  #began = new Map();

  /** @param {string} key */
  async get(key) {
    const at = now();
    // A page that is read several times in a request is as old as the first read.
    if (!this.#began.has(key)) this.#began.set(key, { at, redisTime: null });
    const entry = find(key) ?? (await this.#getShared(key, at));
    return entry && { ...entry, value: unpack(entry) };
  }

  /** @param {string} key @param {number} began */
  async #getShared(key, began) {
    const found = await state.redis?.find(key);
    if (!found) return null;
    this.#began.set(key, { at: began, redisTime: found.time });
    if (!found.entry) return null;
    const entry = {
      ...found.entry,
      began,
      lastModified: Math.min(found.entry.lastModified, began),
    };
    if (isExpired(entry)) return null;
    state.entries.set(key, entry);
    return entry;
  }

  /**
   * @param {string} key
   * @param {Value | null} value
   * @param {{ tags?: string[], cacheControl?: CacheControl }} [context]
   */
  async set(key, value, { tags: given, cacheControl } = {}) {
    boundCacheControls();
    if (!value) return void state.entries.delete(key);
    const tags = tagsOf(value) ?? given ?? [];
    // Before Next.js sends the page to the first visitor, who gets what is changed here, too.
    if (typeof value.html === "string" && !state.beforeStore({ key, value, tags, cacheControl }))
      return void state.entries.delete(key);
    const { at, redisTime } = this.#began.get(key) ?? { at: now(), redisTime: null };
    const name = value.headers?.["x-page-key"];
    const entry = { ...(await pack(value)), name, lastModified: at, began: at, tags, cacheControl };
    if (isExpired(entry)) return;
    state.entries.set(key, entry);
    if (redisTime !== null) void state.redis?.keep({ key, entry, time: redisTime });
  }

  /** @param {string | string[]} tags */
  async revalidateTag(tags) {
    await expireTags([tags].flat());
  }

  resetRequestCache() {}
}

/** @param {Value} value */
function tagsOf({ headers, tags }) {
  const header = headers?.["x-next-cache-tags"];
  return typeof header === "string" ? header.split(",") : tags;
}

/**
 * Expires the entries with one of these tags, in every instance that can be reached. Never throws.
 *
 * @param {readonly string[]} tags
 */
export async function expireTags(tags) {
  expireHere(tags);
  await state.redis?.expire(tags);
}

/** @param {readonly string[]} tags */
function expireHere(tags) {
  const at = now();
  for (const tag of tags) state.expiredAt.set(tag, at);
  if (state.expiredAt.size > MAX_EXPIRED_TAGS) expireAllHere();
}

/** Including what is being rendered now. */
function expireAllHere() {
  state.allExpiredAt = now();
  state.expiredAt.clear();
  state.entries.clear();
}

/**
 * A stored page's document in gzip, while it is fresh and the page is still the same; null otherwise: server.mjs.
 *
 * @param {string} name its header `x-page-key`
 */
export function readDocument(name) {
  const entry = find(name.slice(0, name.lastIndexOf(" ")));
  if (!entry?.document || entry.name !== name) return null;
  const seconds = entry.cacheControl?.revalidate;
  if (typeof seconds === "number" && now() - entry.lastModified > seconds * 1000) return null;
  return entry.document;
}

/**
 * @param {BeforeStore} beforeStore may change a page before it is stored and sent; false: the page is not stored
 */
export function setBeforeStore(beforeStore) {
  state.beforeStore = beforeStore;
}

/**
 * Shares the cache with the other instances of the same build and settings, through Redis.
 *
 * @param {{ url: string, settings: readonly unknown[], log: import("./cache-redis.mjs").Log }} options `settings`: what
 *   pages depend on besides the database
 */
export async function shareCache({ url, settings, log }) {
  if (state.redis) return;
  const { RedisCache } = await import("./cache-redis.mjs");
  const digest = createHash("sha256").update(JSON.stringify([readBuildId(), ...settings]));
  state.redis = new RedisCache({
    url,
    namespace: digest.digest("base64url").slice(0, 16),
    log,
    local: { expireTags: expireHere, expireAll: expireAllHere },
  });
  // So that a new instance finds what others have rendered.
  await Promise.race([state.redis.connected, delay(CONNECTION_TIMEOUT, undefined, { ref: false })]);
}

/** Pages reference the files of their build. */
function readBuildId() {
  try {
    return readFileSync(
      join(process.cwd(), process.env.NEXT_DIST_DIR ?? ".next", "BUILD_ID"),
      "utf8",
    );
  } catch {
    return "development";
  }
}
