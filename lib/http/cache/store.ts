import { LRUCache } from "lru-cache";
import { CACHE_TAGS } from "@/lib/http/cache/cache-tags";
import { type StoredValue, sizeOf } from "@/lib/http/cache/stored-values";
import { perProcess } from "@/lib/per-process";

// The shop's one cache, for whole pages and for data: docs/decisions/035. Its size is bounded, so that a
// crawler that walks every product and filter cannot fill the memory.

const MEBIBYTE = 1024 * 1024;
const STORED_BYTES = 78 * MEBIBYTE;
/** Searches, which visitors may invent without end, push out each other alone: some 400 fit. */
const SEARCHES_BYTES = 10 * MEBIBYTE;
/** With more expired tags, everything is expired instead. */
const MAX_EXPIRED_TAGS = 50_000;

export interface CacheControl {
  /** Seconds until it expires. */
  revalidate?: number | false | undefined;
}

/**
 * `lastModified` is when the reading that made the entry began, in milliseconds, which Next.js counts
 * its age from. `began` is the same by this process's own clock, for an entry of another instance
 * when it was asked for: a change that commits while a page is being rendered or fetched expires the
 * page, although it is stored afterwards.
 */
export interface Entry {
  key: string;
  value: StoredValue;
  lastModified: number;
  began: number;
  tags: readonly string[];
  cacheControl?: CacheControl | undefined;
}

/** Milliseconds since 1970, as Next.js counts them. */
export const now = () => performance.timeOrigin + performance.now();

const createEntries = (maxSize: number) =>
  new LRUCache<string, Entry>({ maxSize, sizeCalculation: sizeOf });

/** Is it a page of a text search, or made for one? */
export const isSearch = ({ tags }: Pick<Entry, "tags">) => tags.includes(CACHE_TAGS.searches);

export class Store {
  private readonly entries = createEntries(STORED_BYTES);
  private readonly searches = createEntries(SEARCHES_BYTES);
  /** When each tag was last expired. */
  readonly expiredAt = new Map<string, number>();
  /** When everything was. */
  private allExpiredAt = 0;

  isExpired(entry: Pick<Entry, "tags" | "began">): boolean {
    if (this.allExpiredAt >= entry.began) return true;
    for (const tag of entry.tags) {
      const at = this.expiredAt.get(tag);
      if (at !== undefined && at >= entry.began) return true;
    }
    return false;
  }

  /** Null where there is none, or where a tag of it has expired. */
  get(key: string): Entry | null {
    const entry = this.entries.get(key) ?? this.searches.get(key);
    if (!entry) return null;
    if (!this.isExpired(entry)) return entry;
    this.delete(key);
    return null;
  }

  set(key: string, entry: Entry): void {
    this.delete(key);
    if (!this.isExpired(entry)) (isSearch(entry) ? this.searches : this.entries).set(key, entry);
  }

  delete(key: string): void {
    this.entries.delete(key);
    this.searches.delete(key);
  }

  expireTags(tags: readonly string[]): void {
    const at = now();
    for (const tag of tags) this.expiredAt.set(tag, at);
    if (this.expiredAt.size > MAX_EXPIRED_TAGS) this.expireAll();
  }

  /** Including what is being rendered now. */
  expireAll(): void {
    this.allExpiredAt = now();
    this.expiredAt.clear();
    this.clear();
  }

  clear(): void {
    this.entries.clear();
    this.searches.clear();
  }
}

export const cacheStore = perProcess("cache", () => new Store());
