import type { SharedCache } from "@/lib/http/cache/shared-cache";
import { perProcess } from "@/lib/per-process";

/** This process's; undefined without REDIS_URL. Of the class only its type: pages need no client for Redis. */
export const sharedCache = perProcess<{
  current: Pick<SharedCache, "mark" | "find" | "keep" | "expire"> | undefined;
}>("shared-cache", () => ({ current: undefined }));
