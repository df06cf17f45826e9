import type { CacheControl } from "@/lib/http/cache/store";
import type { CacheValue } from "@/lib/http/cache/stored-values";
import { perProcess } from "@/lib/per-process";

/** A position in the stream of changes. */
export interface Position {
  epoch: string;
  seq: number;
}

/** A page or value as Next.js passes it. */
export interface SharedEntry {
  value: CacheValue;
  /** When its rendering began, in milliseconds since 1970. */
  lastModified: number;
  tags: string[];
  cacheControl?: CacheControl | undefined;
}

/** The part of the local cache that other instances' changes concern. */
export interface LocalStore {
  expireTags(tags: readonly string[]): void;
  expireAll(): void;
}

/** The cache that instances share: shared-cache.ts, without its client for Redis. */
export interface InstancesCache {
  readonly mark: Position | null;
  find(key: string): Promise<SharedEntry | null>;
  keep(options: {
    key: string;
    entry: SharedEntry;
    mark: Position | null | undefined;
  }): Promise<void>;
  expire(tags: readonly string[]): Promise<void>;
}

/** This process's; undefined without REDIS_URL. */
export const sharedCache = perProcess<{ current: InstancesCache | undefined }>(
  "shared-cache",
  () => ({ current: undefined }),
);
