// The shop's one cache, for whole pages and for data (`lib/http/cache.ts`), handed to Next.js by
// `cacheHandler` in next.config.ts. It lives in this process and its size is bounded, so a crawler
// that walks every product and filter cannot fill the memory or the disk:
// - whatever is long is kept compressed (a page takes about a tenth), and what is asked for often is
//   kept unpacked besides;
// - an entry dies with its tags: `expireTags` is the only way to invalidate;
// - with REDIS_URL, what is missing here may have been made by another instance, which is asked for
//   it (lib/http/shared-cache.ts); what is here is served without asking anybody.
// It is plain JavaScript since Next.js loads it by itself, outside of the bundle, and hence shares
// the store with the bundle through `globalThis`. docs/performance.md says what was measured.
import { readFileSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { deserialize, serialize } from "node:v8";
import {
  brotliCompressSync,
  brotliDecompressSync,
  deflateRawSync,
  inflateRawSync,
  constants as zlib,
} from "node:zlib";
import { LRUCache } from "lru-cache";
import nextLives from "next/dist/server/lib/incremental-cache/shared-cache-controls.external.js";

const MEBIBYTE = 1024 * 1024;
const STORED_BYTES = 64 * MEBIBYTE;
const UNPACKED_BYTES = 36 * MEBIBYTE;
/**
 * What is asked for again within so many unpackings is kept unpacked. A crawler that walks through
 * thousands of pages would else only push out what visitors look at.
 */
const SOON = 1_000;
/** A shorter text is not worth compressing. */
const LONG_TEXT = 2_000;
const TAGS_HEADER = "x-next-cache-tags";

/**
 * @typedef {{ value: any, lastModified: number, began: number, tags: string[], cacheControl?: any }} Entry
 * `lastModified` is when the reading that made the entry began, in milliseconds, which Next.js counts
 * its age from. `began` is the same by this process's own clock, for an entry of another instance
 * when it was asked for: a change that commits while a page is being rendered or fetched expires the
 * page, although it is stored afterwards.
 */

/** What was unpacked lately. @type {LRUCache<Packed, string | Buffer>} */
const unpacked = new LRUCache({
  maxSize: UNPACKED_BYTES,
  sizeCalculation: (content) => (typeof content === "string" ? 2 * content.length : content.length),
});

/**
 * Pages of one kind begin alike: with what the first of them begins with as dictionary, the others
 * take half as much. Not all of deflate's window (32 KiB), or the same place of the next page would
 * be too far.
 * @type {Map<string, Buffer>}
 */
const beginnings = new Map();
const BEGINNING_BYTES = 24 * 1024;
const MOST_KINDS = 32;

/** `product` of `/site/fr/product/7`. @param {string} key */
const kindOf = (key) => key.split("/")[3] ?? "";

let unpackings = 0;

/** A text or byte array, compressed so that it is quickly restored. */
class Packed {
  /** At which unpacking it was asked for last. */
  askedAt = Number.NEGATIVE_INFINITY;

  /** @param {string | Buffer} content @param {Buffer} [dictionary] */
  constructor(content, dictionary) {
    const raw = typeof content === "string" ? Buffer.from(content) : content;
    this.dictionary = dictionary;
    this.bytes = exactly(deflateRawSync(raw, { level: 4, ...(dictionary && { dictionary }) }));
    // One piece of memory is enough to restore it, if zlib sees that there is room left at its end.
    this.chunkSize = raw.length + 64;
  }

  /** @returns {Buffer} */
  unpack() {
    const { dictionary, chunkSize } = this;
    return inflateRawSync(this.bytes, { chunkSize, ...(dictionary && { dictionary }) });
  }

  /** As `unpack`, for what may be asked for again. @returns {Buffer} */
  buffer() {
    return /** @type {Buffer} */ (this.#keeping(() => this.unpack()));
  }

  /** As `buffer`, for a text. @returns {string} */
  text() {
    return /** @type {string} */ (this.#keeping(() => this.unpack().toString()));
  }

  /** @param {() => string | Buffer} make */
  #keeping(make) {
    const known = unpacked.get(this);
    if (known !== undefined) return known;
    const content = make();
    unpackings += 1;
    if (unpackings - this.askedAt <= SOON) unpacked.set(this, content);
    this.askedAt = unpackings;
    return content;
  }
}

/** @param {string} html @param {string} key */
function packedPage(html, key) {
  const raw = Buffer.from(html);
  const kind = kindOf(key);
  let beginning = beginnings.get(kind);
  if (!beginning && beginnings.size < MOST_KINDS) {
    beginning = Buffer.from(raw.subarray(0, BEGINNING_BYTES));
    beginnings.set(kind, beginning);
  }
  return new Packed(raw, beginning);
}

/**
 * zlib gives a part of a piece of 16 KiB, all of which would be kept with it: a copy is as long as
 * what it holds, and as what the bound counts.
 * @param {Buffer} part
 */
const exactly = ({ buffer, byteOffset, byteLength }) =>
  Buffer.from(buffer.slice(byteOffset, byteOffset + byteLength));

/** A stream of bytes that are looked for when somebody begins to read. @param {() => Buffer} find */
const streamOf = (find) =>
  new Readable({
    read() {
      this.push(find());
      this.push(null);
    },
  });

/**
 * A page as Next.js reads it from a cache, except that `html` and its like are streams, which it
 * sends all the same. As a string a page would be converted to UTF-8 for every visitor, which costs
 * more than all that Next.js does besides, and take twice the memory. Nothing is unpacked that is
 * not sent: nearly every request wants the HTML, few what a browser loads ahead of a click.
 */
class StoredPage {
  kind = "APP_PAGE";

  /** @param {any} page @param {string} key */
  constructor({ html, rscData, segmentData, headers, status, postponed }, key) {
    this.headers = headers;
    this.status = status;
    this.postponed = postponed;
    this.packed = packedPage(html, key);
    // The two say the same in different pieces: brotli, which looks back further than deflate,
    // keeps it once.
    this.ahead = exactly(
      brotliCompressSync(serialize({ rscData, segmentData }), {
        params: { [zlib.BROTLI_PARAM_QUALITY]: 3 },
      }),
    );
    this.hasData = Boolean(rscData);
    this.hasSegments = Boolean(segmentData);
  }

  /** What a browser loads ahead of a click. @returns {{ rscData: any, segmentData: any }} */
  unpackAhead() {
    return deserialize(brotliDecompressSync(this.ahead));
  }

  get html() {
    return streamOf(() => this.packed.buffer());
  }

  get rscData() {
    if (!this.hasData) return undefined;
    return streamOf(() => this.unpackAhead().rscData);
  }

  get segmentData() {
    if (!this.hasSegments) return undefined;
    return {
      /** @param {string} path */
      get: (path) => {
        const bytes = this.unpackAhead().segmentData.get(path);
        return bytes && streamOf(() => bytes);
      },
    };
  }

  get size() {
    return this.packed.bytes.length + this.ahead.length + 1_000;
  }
}

/** A datum of `unstable_cache`: its body is JSON. */
class StoredData {
  kind = "FETCH";

  /** @param {any} value */
  constructor({ data, revalidate }) {
    const { body, ...rest } = data;
    const packed = new Packed(body);
    this.revalidate = revalidate;
    this.data = Object.defineProperty(rest, "body", { get: () => packed.text() });
    this.size = packed.bytes.length + 500;
  }
}

/** @param {any} value as Next.js hands it over @param {string} key @returns {any} as it is kept */
function stored(value, key) {
  if (isKept(value)) return value;
  if (value.kind === "APP_PAGE" && value.postponed === undefined) return new StoredPage(value, key);
  if (value.kind === "FETCH" && value.data.body.length > LONG_TEXT) return new StoredData(value);
  return value;
}

/** @param {any} value */
const isKept = (value) => value instanceof StoredPage || value instanceof StoredData;

/** What another instance has made, as it is kept here; null where it cannot be. @param {any} value @param {string} key */
function restored(value, key) {
  try {
    if (value.kind === "APP_PAGE") givePolicy(value, key);
    return stored(value, key);
  } catch {
    return null;
  }
}

/** @param {any} value @returns {number} bytes, near enough for a bound */
function sizeOf(value) {
  if (value == null) return 8;
  if (typeof value === "string") return value.length * 2;
  if (typeof value !== "object") return 8;
  if (isKept(value)) return value.size;
  if (ArrayBuffer.isView(value)) return value.byteLength;
  let size = 64;
  const entries = value instanceof Map ? value.entries() : Object.entries(value);
  for (const [key, item] of entries) size += sizeOf(key) + sizeOf(item);
  return size;
}

class Store {
  /** @type {LRUCache<string, Entry>} */
  entries = new LRUCache({ maxSize: STORED_BYTES, sizeCalculation: sizeOf });
  /** When each tag was last expired. Bounded by the number of products, categories and tags. */
  expiredAt = new Map();
  /** When everything was. */
  allExpiredAt = 0;

  /** @param {Entry} entry */
  isExpired(entry) {
    if (this.allExpiredAt >= entry.began) return true;
    for (const tag of entry.tags) {
      const at = this.expiredAt.get(tag);
      if (at !== undefined && at >= entry.began) return true;
    }
    return false;
  }

  /** @param {string} key @returns {Entry | null} */
  get(key) {
    const entry = this.entries.get(key);
    if (!entry) return null;
    if (!this.isExpired(entry)) return entry;
    this.delete(key);
    return null;
  }

  /** @param {string} key @param {Entry} entry */
  set(key, entry) {
    if (this.isExpired(entry)) this.delete(key);
    else this.entries.set(key, entry);
  }

  /** @param {string} key */
  delete(key) {
    this.entries.delete(key);
  }

  /** @param {readonly string[]} tags */
  expireTags(tags) {
    replica()?.noteChange();
    const at = now();
    for (const tag of tags) this.expiredAt.set(tag, at);
  }

  /** What is being read at this moment included. */
  expireAll() {
    replica()?.noteChange();
    this.allExpiredAt = now();
    this.expiredAt.clear();
    this.clear();
  }

  clear() {
    this.entries.clear();
  }
}

/** @returns {{ noteChange(): void } | null | undefined} db/replica.ts */
const replica = () => globalThis[Symbol.for("mini-ecommerce.replica")];

/**
 * A page's policy names its scripts by their hashes, computed here once: docs/decisions/030. The
 * build, which stores nothing that is ever sent, has nobody who knows it.
 * @param {any} page @param {string} key
 */
function givePolicy(page, key) {
  const policyOf = globalThis[Symbol.for("mini-ecommerce.page-policy")];
  if (!policyOf || typeof page.html !== "string") return;
  page.headers ??= {};
  page.headers["content-security-policy"] = policyOf({ html: page.html, address: key });
}

const now = () => performance.timeOrigin + performance.now();

const REQUEST = Symbol.for("mini-ecommerce.request-context");

/**
 * Tells whoever sends the answer to the current request (lib/http/request-context.ts) which page it
 * shows: the first one noted, since one that has run out is sent while the next one is made.
 * @param {Entry} entry
 */
function note(entry) {
  const request = globalThis[REQUEST]?.getStore();
  if (request && entry.value.kind === "APP_PAGE") request.page ??= entry;
}

const { cacheControls: lives } = nextLives.SharedCacheControls;
const MOST_LIVES = 10_000;

/**
 * Next.js remembers for ever how long each page that was ever stored is good for, under its address.
 * The entries say so themselves.
 */
function forgetLives() {
  if (lives.size > MOST_LIVES) lives.clear();
}

const KEY = Symbol.for("mini-ecommerce.cache");
/** @type {Store} */
export const store = globalThis[KEY] ?? new Store();
globalThis[KEY] = store;

/** @returns {import("./lib/http/shared-cache").SharedCache | undefined} */
const sharedCache = () => globalThis[Symbol.for("mini-ecommerce.shared-cache")];

/** Pages name the files of the build that they belong to. @type {string | undefined} */
let build;

/** @param {string} folder */
function readBuildId(folder) {
  try {
    return readFileSync(path.join(folder, "BUILD_ID"), "utf8").trim();
  } catch {
    return "development";
  }
}

/** Next.js makes one per request, which hence knows when its readings began; the store is shared. */
export default class CacheHandler {
  /** @type {Map<string, { at: number, mark: import("./lib/http/shared-cache").Mark | null | undefined }>} */
  began = new Map();

  /** @param {{ serverDistDir?: string }} options */
  constructor({ serverDistDir = "" }) {
    build ??= readBuildId(path.dirname(serverDistDir));
  }

  async get(key) {
    const shared = sharedCache();
    const began = now();
    // What is made from several looks is as old as the first.
    if (!this.began.has(key)) this.began.set(key, { at: began, mark: shared?.mark });
    const own = store.get(key);
    if (own) note(own);
    if (own || !shared) return own;
    const found = await shared.find(`${build}:${key}`);
    if (!found) return null;
    const value = restored(found.value, key);
    if (!value) return null;
    const lastModified = Math.min(found.lastModified, began);
    const entry = { ...found, value, lastModified, began };
    if (store.isExpired(entry)) return null;
    store.set(key, entry);
    note(entry);
    return entry;
  }

  async set(key, value, context) {
    forgetLives();
    if (!value) return store.delete(key);
    const header = value.headers?.[TAGS_HEADER];
    const tags =
      typeof header === "string" ? header.split(",") : (value.tags ?? context?.tags ?? []);
    const { at, mark } = this.began.get(key) ?? { at: now(), mark: undefined };
    const { cacheControl } = context ?? {};
    // Where a page could not be made anew, Next.js hands over the former one, as it is kept here.
    if (!isKept(value))
      sharedCache()?.keep({
        key: `${build}:${key}`,
        entry: { value, lastModified: at, tags, cacheControl },
        mark,
      });
    // Before Next.js answers the first visitor, who gets these headers, too. Others give their own:
    // which hosts a page may reach is the configuration's to say.
    if (value.kind === "APP_PAGE") givePolicy(value, key);
    const entry = { value: stored(value, key), lastModified: at, began: at, tags, cacheControl };
    note(entry);
    store.set(key, entry);
  }

  async revalidateTag(tags) {
    store.expireTags([tags].flat());
    await sharedCache()?.expire([tags].flat());
  }

  resetRequestCache() {}
}
