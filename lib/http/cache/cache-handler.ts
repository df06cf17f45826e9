import { readFileSync } from "node:fs";
import path from "node:path";
import { readBuiltPage } from "@/lib/http/cache/built-page";
import { addressInData, isOwnAddress } from "@/lib/http/cache/page-address";
import type { Position } from "@/lib/http/cache/redis-calls";
import { sharedCache } from "@/lib/http/cache/shared-cache-of-process";
import { type CacheControl, cacheStore, type Entry, isSearch, now } from "@/lib/http/cache/store";
import {
  type CacheValue,
  isStored,
  type RenderedPage,
  type StoredValue,
  toStored,
} from "@/lib/http/cache/stored-values";
import { documentPolicy, POLICY_HEADER } from "@/lib/http/server/content-security";
import { log } from "@/lib/http/server/log";
import { currentRequest } from "@/lib/http/server/request-context";
import { boundCacheControls } from "@/lib/workarounds/next-cache-controls";

// What Next.js calls to read and write its cache (`cacheHandler` in next-config.ts). Next.js loads it from
// dist/…/cache-handler.mjs, outside of its bundles: scripts/bundle.ts. With REDIS_URL, what is missing in
// this process may have been made by another instance, which is asked for it (shared-cache.ts).

const TAGS_HEADER = "x-next-cache-tags";

/** Pages reference the files of their build. */
let build: string | undefined;

function readBuildId(folder: string): string {
  try {
    return readFileSync(path.join(folder, "BUILD_ID"), "utf8").trim();
  } catch {
    return "development";
  }
}

/**
 * Sets a page's content security policy with the hashes of its scripts, once: docs/decisions/030. Not in
 * `next build`, which does not have the configuration.
 */
function setPolicy(page: RenderedPage, key: string): void {
  const isBuild = process.env.NEXT_PHASE === "phase-production-build";
  if (isBuild || typeof page.html !== "string") return;
  page.headers ??= {};
  page.headers[POLICY_HEADER] = documentPolicy({ html: page.html, path: key });
}

/** An entry of another instance, as it is stored here; null if invalid. */
async function fromShared(value: CacheValue, key: string): Promise<StoredValue | null> {
  try {
    if (value.kind === "APP_PAGE") setPolicy(value, key);
    return await toStored(value);
  } catch {
    return null;
  }
}

/**
 * Records which page is the response to the current request: the first one, since an expired page is sent
 * while the next one is rendered.
 */
function recordPage(entry: Entry): void {
  const request = currentRequest();
  if (request && entry.value.kind === "APP_PAGE") request.page ??= entry;
}

/** Logged once per process: under Next.js alone, any visitor's query causes it. */
let isRefusalLogged = false;

/** May a page be stored? Not if its data names another address than its key's, which may be somebody's secret. */
function namesOwnAddress({ rscData }: RenderedPage, key: string): boolean {
  if (isOwnAddress(key, rscData ? addressInData(rscData.toString()) : null)) return true;
  if (!isRefusalLogged)
    log.warn({}, "a page that names another address than its own is not stored");
  isRefusalLogged = true;
  return false;
}

interface WriteContext {
  tags?: string[] | undefined;
  cacheControl?: CacheControl | undefined;
}

/** Next.js creates one per request, so that it knows when rendering began; the store is shared. */
export default class CacheHandler {
  private readonly began = new Map<string, { at: number; mark: Position | null | undefined }>();

  private readonly serverFolder: string;

  constructor({ serverDistDir = "" }: { serverDistDir?: string }) {
    this.serverFolder = serverDistDir;
    build ??= readBuildId(path.dirname(serverDistDir));
  }

  async get(key: string): Promise<Entry | null> {
    const shared = sharedCache.current;
    const began = now();
    // A page that is read several times is as old as the first read.
    if (!this.began.has(key)) this.began.set(key, { at: began, mark: shared?.mark });
    const own = cacheStore.get(key);
    if (own) recordPage(own);
    if (own) return own;
    const built = await readBuiltPage(this.serverFolder, key);
    if (built) await this.set(key, built, { cacheControl: { revalidate: false } });
    if (built || !shared) return cacheStore.get(key);
    const found = await shared.find(`${build}:${key}`);
    if (!found) return null;
    const value = await fromShared(found.value, key);
    if (!value) return null;
    const lastModified = Math.min(found.lastModified, began);
    const entry = { ...found, key, value, lastModified, began };
    if (cacheStore.isExpired(entry)) return null;
    cacheStore.set(key, entry);
    recordPage(entry);
    return entry;
  }

  async set(key: string, value: StoredValue | null, context: WriteContext = {}): Promise<void> {
    boundCacheControls();
    if (!value) return cacheStore.delete(key);
    const tags = tagsOf(value) ?? context.tags ?? [];
    const { at, mark } = this.began.get(key) ?? { at: now(), mark: undefined };
    const { cacheControl } = context;
    // Where a page could not be rendered again, Next.js passes the former one, as it is stored here.
    if (!isStored(value)) {
      if (value.kind === "APP_PAGE" && !namesOwnAddress(value, key)) return cacheStore.delete(key);
      const entry = { value, lastModified: at, tags, cacheControl };
      // Searches hardly repeat: other instances would not ask for them.
      if (!isSearch(entry)) void sharedCache.current?.keep({ key: `${build}:${key}`, entry, mark });
      // Before Next.js answers the first visitor, who gets these headers, too. Others give their own:
      // which hosts a page may reach is the configuration's to say.
      if (value.kind === "APP_PAGE") setPolicy(value, key);
    }
    const stored = await toStored(value);
    const entry = { key, value: stored, lastModified: at, began: at, tags, cacheControl };
    recordPage(entry);
    cacheStore.set(key, entry);
  }

  async revalidateTag(tags: string | string[]): Promise<void> {
    cacheStore.expireTags([tags].flat());
    await sharedCache.current?.expire([tags].flat());
  }

  resetRequestCache(): void {}
}

function tagsOf(value: StoredValue): string[] | undefined {
  const header = "headers" in value ? value.headers?.[TAGS_HEADER] : undefined;
  if (typeof header === "string") return header.split(",");
  return "tags" in value ? value.tags : undefined;
}
