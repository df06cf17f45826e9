import path from "node:path";
import { BUILD_FOLDER } from "@/lib/build-folder";
import CacheHandler from "@/lib/http/cache/cache-handler";
import { now } from "@/lib/http/cache/store";

const SERVER_FOLDER = path.resolve(BUILD_FOLDER, "server");

/**
 * Stands for Next.js's function of this name in the server (scripts/bundle.ts), where there is no request
 * of Next.js that it could belong to: keeps results in the same store. An old result is not used.
 */
export function unstable_cache<T>(
  run: () => Promise<T>,
  key: readonly string[],
  { tags, revalidate }: { tags: string[]; revalidate: number },
): () => Promise<T> {
  return async () => {
    // Knows from here on when the reading began.
    const handler = new CacheHandler({ serverDistDir: SERVER_FOLDER });
    const name = `data:${JSON.stringify(key)}`;
    const known = await handler.get(name);
    if (known?.value.kind === "FETCH" && now() - known.lastModified < revalidate * 1000)
      return JSON.parse(known.value.data.body);
    const result = await run();
    const data = { headers: {}, body: JSON.stringify(result), url: "" };
    await handler.set(
      name,
      { kind: "FETCH", data, revalidate },
      { tags, cacheControl: { revalidate } },
    );
    return result;
  };
}
