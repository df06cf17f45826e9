// The shop's one cache, for whole pages and for data (`lib/http/cache/cache.ts`), handed to Next.js by
// `cacheHandler` in next.config.ts. It lives in this process and its size is bounded, so a crawler
// that walks every product and filter cannot fill the memory or the disk:
// - long values are stored compressed (a page takes about a tenth), and frequently requested ones
//   uncompressed besides;
// - an entry expires with its tags: `expireTags` is the only way to invalidate;
// - with REDIS_URL, what is missing here may have been made by another instance, which is asked for
//   it (lib/http/cache/shared-cache.ts); what is here is served without a request.
// It is plain JavaScript since Next.js loads it by itself, outside of the bundle, and hence shares
// the store with the bundle through `globalThis`. docs/performance.md says what was measured.
import { readFileSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { deserialize, serialize } from "node:v8";
import {
  brotliCompressSync,
  brotliDecompressSync,
  gunzipSync,
  gzipSync,
  constants as zlib,
} from "node:zlib";
import { LRUCache } from "lru-cache";
import nextCacheControls from "next/dist/server/lib/incremental-cache/shared-cache-controls.external.js";

const MEBIBYTE = 1024 * 1024;
const STORED_BYTES = 88 * MEBIBYTE;
const UNPACKED_BYTES = 12 * MEBIBYTE;
/**
 * What is requested again within so many decompressions is also kept uncompressed. A crawler that walks
 * through thousands of pages would otherwise evict what visitors request.
 */
const REUSE_WINDOW = 1_000;
/** Shorter texts are not compressed. */
const MIN_PACKED_LENGTH = 2_000;
const TAGS_HEADER = "x-next-cache-tags";
/** With more expired tags, everything is expired instead. */
const MAX_EXPIRED_TAGS = 50_000;

/**
 * @typedef {{ key: string, value: any, lastModified: number, began: number, tags: string[], cacheControl?: any }} Entry
 * `lastModified` is when the reading that made the entry began, in milliseconds, which Next.js counts
 * its age from. `began` is the same by this process's own clock, for an entry of another instance
 * when it was asked for: a change that commits while a page is being rendered or fetched expires the
 * page, although it is stored afterwards.
 */

/** Recently decompressed content. @type {LRUCache<Packed, string | Buffer>} */
const unpacked = new LRUCache({
  maxSize: UNPACKED_BYTES,
  sizeCalculation: (content) => (typeof content === "string" ? 2 * content.length : content.length),
});

let unpackings = 0;

/** A text or byte array in gzip, which is also sent as it is. */
class Packed {
  /** The number of the decompression at which it was last requested. */
  askedAt = Number.NEGATIVE_INFINITY;

  /** @param {string | Buffer} content */
  constructor(content) {
    const raw = typeof content === "string" ? Buffer.from(content) : content;
    this.bytes = copyExact(gzipSync(raw));
    // One piece of memory is enough to restore it, if zlib sees that there is room left at its end.
    this.chunkSize = raw.length + 64;
  }

  /** @returns {Buffer} */
  unpack() {
    return gunzipSync(this.bytes, { chunkSize: this.chunkSize });
  }

  /** As `unpack`, for what may be asked for again. @returns {Buffer} */
  buffer() {
    return /** @type {Buffer} */ (this.#remember(() => this.unpack()));
  }

  /** As `buffer`, for a text. @returns {string} */
  text() {
    return /** @type {string} */ (this.#remember(() => this.unpack().toString()));
  }

  /** @param {() => string | Buffer} make */
  #remember(make) {
    const known = unpacked.get(this);
    if (known !== undefined) return known;
    const content = make();
    unpackings += 1;
    if (unpackings - this.askedAt <= REUSE_WINDOW) unpacked.set(this, content);
    this.askedAt = unpackings;
    return content;
  }
}

/**
 * zlib returns a slice of a 16 KiB buffer, which it would retain: the copy is as long as its content,
 * which is what the size limit counts.
 * @param {Buffer} part
 */
const copyExact = ({ buffer, byteOffset, byteLength }) =>
  Buffer.from(buffer.slice(byteOffset, byteOffset + byteLength));

/** A stream whose bytes are computed at the first read. @param {() => Buffer} find */
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

  /** @param {any} page */
  constructor({ html, rscData, segmentData, headers, status, postponed }) {
    this.headers = headers;
    this.status = status;
    this.postponed = postponed;
    this.packed = new Packed(html);
    // The two say the same in different pieces: brotli, which looks back further than deflate,
    // keeps it once.
    this.prefetch = copyExact(
      brotliCompressSync(serialize({ rscData, segmentData }), {
        params: { [zlib.BROTLI_PARAM_QUALITY]: 3 },
      }),
    );
    this.hasData = Boolean(rscData);
    this.hasSegments = Boolean(segmentData);
  }

  /** What a browser prefetches. @returns {{ rscData: any, segmentData: any }} */
  unpackPrefetch() {
    return deserialize(brotliDecompressSync(this.prefetch));
  }

  /** For whoever sends the page without Next.js: lib/http/cache/stored-pages.ts. @param {{ isGzip: boolean }} how */
  document({ isGzip }) {
    return isGzip ? this.packed.bytes : this.packed.buffer();
  }

  get html() {
    return streamOf(() => this.packed.buffer());
  }

  get rscData() {
    if (!this.hasData) return undefined;
    return streamOf(() => this.unpackPrefetch().rscData);
  }

  get segmentData() {
    if (!this.hasSegments) return undefined;
    return {
      /** @param {string} path */
      get: (path) => {
        const bytes = this.unpackPrefetch().segmentData.get(path);
        return bytes && streamOf(() => bytes);
      },
    };
  }

  get size() {
    return this.packed.bytes.length + this.prefetch.length + 1_000;
  }
}

/** A value of `unstable_cache`: its body is JSON. */
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

/** @param {any} value as Next.js passes it @returns {any} as it is stored */
function toStored(value) {
  if (isStored(value)) return value;
  if (value.kind === "APP_PAGE" && value.postponed === undefined) return new StoredPage(value);
  if (value.kind === "FETCH" && value.data.body.length > MIN_PACKED_LENGTH)
    return new StoredData(value);
  return value;
}

/** @param {any} value */
const isStored = (value) => value instanceof StoredPage || value instanceof StoredData;

/** An entry of another instance, as it is stored here; null if invalid. @param {any} value @param {string} key */
function fromShared(value, key) {
  try {
    if (value.kind === "APP_PAGE") setPolicy(value, key);
    return toStored(value);
  } catch {
    return null;
  }
}

/** @param {any} value @returns {number} bytes, approximately */
function sizeOf(value) {
  if (value == null) return 8;
  if (typeof value === "string") return value.length * 2;
  if (typeof value !== "object") return 8;
  if (isStored(value)) return value.size;
  if (ArrayBuffer.isView(value)) return value.byteLength;
  let size = 64;
  const entries = value instanceof Map ? value.entries() : Object.entries(value);
  for (const [key, item] of entries) size += sizeOf(key) + sizeOf(item);
  return size;
}

class Store {
  /** @type {LRUCache<string, Entry>} */
  entries = new LRUCache({ maxSize: STORED_BYTES, sizeCalculation: sizeOf });
  /** When each tag was last expired. */
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
    if (this.expiredAt.size > MAX_EXPIRED_TAGS) this.expireAll();
  }

  /** Including what is being rendered now. */
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
 * Sets a page's content security policy with the hashes of its scripts, once: docs/decisions/030. During
 * the build, which stores nothing that is ever sent, nothing provides it.
 * @param {any} page @param {string} key
 */
function setPolicy(page, key) {
  const policyOf = globalThis[Symbol.for("mini-ecommerce.page-policy")];
  if (!policyOf || typeof page.html !== "string") return;
  page.headers ??= {};
  page.headers["content-security-policy"] = policyOf({ html: page.html, path: key });
}

const now = () => performance.timeOrigin + performance.now();

const REQUEST = Symbol.for("mini-ecommerce.request-context");

/**
 * Records in the context of the current request (lib/http/server/request-context.ts) which page is the
 * response: the first one, since an expired page is sent while the next one is rendered.
 * @param {Entry} entry
 */
function recordPage(entry) {
  const request = globalThis[REQUEST]?.getStore();
  if (request && entry.value.kind === "APP_PAGE") request.page ??= entry;
}

const { cacheControls } = nextCacheControls.SharedCacheControls;
const MAX_CACHE_CONTROLS = 10_000;

/**
 * Bounds a map of Next.js that would grow for ever: the cache control of every page ever stored, by its
 * path. The entries hold it themselves.
 */
function boundCacheControls() {
  if (cacheControls.size > MAX_CACHE_CONTROLS) cacheControls.clear();
}

const KEY = Symbol.for("mini-ecommerce.cache");
/** @type {Store} */
export const store = globalThis[KEY] ?? new Store();
globalThis[KEY] = store;

/** @returns {import("./lib/http/cache/shared-cache").SharedCache | undefined} */
const sharedCache = () => globalThis[Symbol.for("mini-ecommerce.shared-cache")];

/** Pages reference the files of their build. @type {string | undefined} */
let build;

/** @param {string} folder */
function readBuildId(folder) {
  try {
    return readFileSync(path.join(folder, "BUILD_ID"), "utf8").trim();
  } catch {
    return "development";
  }
}

/** Next.js creates one per request, so that it knows when rendering began; the store is shared. */
export default class CacheHandler {
  /** @type {Map<string, { at: number, mark: import("./lib/http/cache/shared-cache").Position | null | undefined }>} */
  began = new Map();

  /** @param {{ serverDistDir?: string }} options */
  constructor({ serverDistDir = "" }) {
    build ??= readBuildId(path.dirname(serverDistDir));
  }

  async get(key) {
    const shared = sharedCache();
    const began = now();
    // A page that is read several times is as old as the first read.
    if (!this.began.has(key)) this.began.set(key, { at: began, mark: shared?.mark });
    const own = store.get(key);
    if (own) recordPage(own);
    if (own || !shared) return own;
    const found = await shared.find(`${build}:${key}`);
    if (!found) return null;
    const value = fromShared(found.value, key);
    if (!value) return null;
    const lastModified = Math.min(found.lastModified, began);
    const entry = { ...found, key, value, lastModified, began };
    if (store.isExpired(entry)) return null;
    store.set(key, entry);
    recordPage(entry);
    return entry;
  }

  async set(key, value, context) {
    boundCacheControls();
    if (!value) return store.delete(key);
    const header = value.headers?.[TAGS_HEADER];
    const tags =
      typeof header === "string" ? header.split(",") : (value.tags ?? context?.tags ?? []);
    const { at, mark } = this.began.get(key) ?? { at: now(), mark: undefined };
    const { cacheControl } = context ?? {};
    // Where a page could not be rendered again, Next.js passes the former one, as it is stored here.
    if (!isStored(value))
      sharedCache()?.keep({
        key: `${build}:${key}`,
        entry: { value, lastModified: at, tags, cacheControl },
        mark,
      });
    // Before Next.js answers the first visitor, who gets these headers, too. Others give their own:
    // which hosts a page may reach is the configuration's to say.
    if (value.kind === "APP_PAGE") setPolicy(value, key);
    const entry = {
      key,
      value: toStored(value),
      lastModified: at,
      began: at,
      tags,
      cacheControl,
    };
    recordPage(entry);
    store.set(key, entry);
  }

  async revalidateTag(tags) {
    store.expireTags([tags].flat());
    await sharedCache()?.expire([tags].flat());
  }

  resetRequestCache() {}
}
