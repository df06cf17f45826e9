// The shop's one cache, for whole pages and for data (`lib/http/cache.ts`), handed to Next.js by
// `cacheHandler` in next.config.ts. It lives in this process and its size is bounded, so a crawler
// that walks every product and filter cannot fill the memory or the disk:
// - a hot part keeps entries as they are served, a cold part keeps them compressed (about a seventh);
// - an entry dies with its tags: `expireTags` is the only way to invalidate.
// It is plain JavaScript since Next.js loads it by itself, outside of the bundle, and hence shares
// the store with the bundle through `globalThis`.
import { deserialize, serialize } from "node:v8";
import { gunzipSync, gzipSync } from "node:zlib";
import { LRUCache } from "lru-cache";

const MEBIBYTE = 1024 * 1024;
const HOT_BYTES = 48 * MEBIBYTE;
const COLD_BYTES = 64 * MEBIBYTE;
const TAGS_HEADER = "x-next-cache-tags";

/**
 * @typedef {{ value: any, lastModified: number, tags: string[], cacheControl?: any }} Entry
 * `lastModified` is when the reading that made the entry began, in milliseconds: a change that
 * commits while a page is being rendered expires the page, although it is stored afterwards.
 */

/** @param {any} value @returns {number} bytes, near enough for a bound */
function sizeOf(value) {
  if (value == null) return 8;
  if (typeof value === "string") return value.length * 2;
  if (typeof value !== "object") return 8;
  if (ArrayBuffer.isView(value)) return value.byteLength;
  let size = 64;
  const entries = value instanceof Map ? value.entries() : Object.entries(value);
  for (const [key, item] of entries) size += sizeOf(key) + sizeOf(item);
  return size;
}

class Store {
  /** @type {LRUCache<string, Buffer>} */
  cold = new LRUCache({ maxSize: COLD_BYTES, sizeCalculation: (packed) => packed.length + 256 });
  /** @type {LRUCache<string, Entry>} */
  hot = new LRUCache({
    maxSize: HOT_BYTES,
    sizeCalculation: sizeOf,
    dispose: (entry, key, reason) => {
      if (reason === "evict" && !this.isExpired(entry)) this.cold.set(key, pack(entry));
    },
  });
  /** When each tag was last expired. Bounded by the number of products, categories and tags. */
  expiredAt = new Map();

  /** @param {Entry} entry */
  isExpired(entry) {
    for (const tag of entry.tags) {
      const at = this.expiredAt.get(tag);
      if (at !== undefined && at >= entry.lastModified) return true;
    }
    return false;
  }

  /** @param {string} key @returns {Entry | null} */
  get(key) {
    let entry = this.hot.get(key);
    if (!entry) {
      const packed = this.cold.get(key);
      if (packed) {
        this.cold.delete(key);
        entry = unpack(packed);
        this.hot.set(key, entry);
      }
    }
    if (entry && this.isExpired(entry)) {
      this.hot.delete(key);
      entry = undefined;
    }
    return entry ?? null;
  }

  /** @param {string} key @param {Entry} entry */
  set(key, entry) {
    this.delete(key);
    if (!this.isExpired(entry)) this.hot.set(key, entry);
  }

  /** @param {string} key */
  delete(key) {
    this.hot.delete(key);
    this.cold.delete(key);
  }

  /** @param {readonly string[]} tags */
  expireTags(tags) {
    const at = now();
    for (const tag of tags) this.expiredAt.set(tag, at);
  }

  clear() {
    this.hot.clear();
    this.cold.clear();
  }
}

const now = () => performance.timeOrigin + performance.now();

const pack = (/** @type {Entry} */ entry) => gzipSync(serialize(entry), { level: 1 });
const unpack = (/** @type {Buffer} */ packed) => deserialize(gunzipSync(packed));

const KEY = Symbol.for("mini-ecommerce.cache");
/** @type {Store} */
export const store = globalThis[KEY] ?? new Store();
globalThis[KEY] = store;

/** Next.js makes one per request, which hence knows when its readings began; the store is shared. */
export default class CacheHandler {
  /** @type {Map<string, number>} */
  began = new Map();

  async get(key) {
    this.began.set(key, now());
    return store.get(key);
  }

  async set(key, value, context) {
    if (!value) return store.delete(key);
    const header = value.headers?.[TAGS_HEADER];
    const tags =
      typeof header === "string" ? header.split(",") : (value.tags ?? context?.tags ?? []);
    const lastModified = this.began.get(key) ?? now();
    store.set(key, { value, lastModified, tags, cacheControl: context?.cacheControl });
  }

  async revalidateTag(tags) {
    store.expireTags([tags].flat());
  }

  resetRequestCache() {}
}
