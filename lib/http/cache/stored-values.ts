import { Readable } from "node:stream";
import { deserialize, serialize } from "node:v8";
import { Packed, packBrotli, unpackBrotli } from "@/lib/http/cache/packed";

// What Next.js stores in its cache, as Next.js passes it and as it is kept in memory.

/** A page as Next.js passes it to be stored. */
export interface RenderedPage {
  kind: "APP_PAGE";
  html: string;
  rscData?: Buffer | undefined;
  segmentData?: Map<string, Buffer> | undefined;
  headers?: Record<string, unknown> | undefined;
  status?: number | undefined;
  postponed?: string | undefined;
}

/** A value of `unstable_cache`: its body is JSON. */
interface DataValue {
  kind: "FETCH";
  data: { headers: Record<string, string>; body: string; url: string; status?: number };
  revalidate: number;
  tags?: string[];
}

/** What Next.js may pass besides: kept as it is. */
interface OtherValue {
  kind: "APP_ROUTE" | "PAGES" | "REDIRECT" | "IMAGE";
  headers?: Record<string, unknown> | undefined;
  tags?: string[];
}

export type CacheValue = RenderedPage | DataValue | OtherValue;
export type StoredValue = StoredPage | StoredDocument | StoredData | CacheValue;

/** Shorter texts are not compressed. */
const MIN_PACKED_LENGTH = 2_000;

/** A stream whose bytes are computed at the first read. */
const streamOf = (find: () => Buffer | undefined) =>
  new Readable({
    read() {
      this.push(find());
      this.push(null);
    },
  });

interface Prefetch {
  rscData: Buffer | undefined;
  segmentData: Map<string, Buffer> | undefined;
}

/**
 * A page as Next.js reads it from a cache, except that `html` and its like are streams, which it
 * sends all the same. As a string a page would be converted to UTF-8 for every visitor, which costs
 * more than all that Next.js does besides, and take twice the memory. Nothing is unpacked that is
 * not sent: nearly every request wants the HTML, few what a browser loads ahead of a click.
 */
export class StoredPage {
  readonly kind = "APP_PAGE";
  readonly isStored = true;
  readonly headers: RenderedPage["headers"];
  readonly status: number | undefined;
  readonly postponed: string | undefined;
  private readonly hasData: boolean;
  private readonly hasSegments: boolean;

  private constructor(
    { rscData, segmentData, headers, status, postponed }: RenderedPage,
    private readonly packed: Packed,
    private readonly prefetch: Buffer,
  ) {
    this.headers = headers;
    this.status = status;
    this.postponed = postponed;
    this.hasData = Boolean(rscData);
    this.hasSegments = Boolean(segmentData);
  }

  static async of(page: RenderedPage): Promise<StoredPage> {
    const { html, rscData, segmentData } = page;
    // The two say the same in different pieces: brotli keeps it once.
    const prefetch = packBrotli(serialize({ rscData, segmentData } satisfies Prefetch));
    return new StoredPage(page, await Packed.of(html), await prefetch);
  }

  /** For whoever sends the page without Next.js: lib/http/server/stored-page.ts. */
  document({ isGzip }: { isGzip: boolean }): Buffer {
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
      get: (path: string) => {
        const bytes = this.unpackPrefetch().segmentData?.get(path);
        return bytes && streamOf(() => bytes);
      },
    };
  }

  get size(): number {
    return this.packed.bytes.length + this.prefetch.length + 1_000;
  }

  private unpackPrefetch(): Prefetch {
    return deserialize(unpackBrotli(this.prefetch)) as Prefetch;
  }
}

/** The document of a page that Next.js does not store: lib/http/server/stored-page.ts. */
export class StoredDocument {
  readonly kind = "DOCUMENT";
  readonly isStored = true;

  private constructor(private readonly packed: Packed) {}

  static async of(html: Buffer): Promise<StoredDocument> {
    return new StoredDocument(await Packed.of(html));
  }

  document({ isGzip }: { isGzip: boolean }): Buffer {
    return isGzip ? this.packed.bytes : this.packed.buffer();
  }

  get size(): number {
    return this.packed.bytes.length + 1_000;
  }
}

/** A long value of `unstable_cache`. */
class StoredData {
  readonly kind = "FETCH";
  readonly isStored = true;
  readonly data: DataValue["data"];
  readonly revalidate: number;
  readonly size: number;

  private constructor({ data, revalidate }: DataValue, packed: Packed) {
    this.revalidate = revalidate;
    this.data = Object.defineProperty({ ...data, body: "" }, "body", { get: () => packed.text() });
    this.size = packed.bytes.length + 500;
  }

  static async of(value: DataValue): Promise<StoredData> {
    return new StoredData(value, await Packed.of(value.data.body));
  }
}

/** A value as Next.js passes it, as it is stored. */
export async function toStored(value: StoredValue): Promise<StoredValue> {
  if (isStored(value)) return value;
  if (value.kind === "APP_PAGE" && value.postponed === undefined) return StoredPage.of(value);
  if (value.kind === "FETCH" && value.data.body.length > MIN_PACKED_LENGTH)
    return StoredData.of(value);
  return value;
}

/** By a field: another copy of this module may have made it. */
export const isStored = (value: StoredValue): value is StoredPage | StoredDocument | StoredData =>
  "isStored" in value;

/** Bytes, approximately. */
export function sizeOf(value: unknown): number {
  if (value == null) return 8;
  if (typeof value === "string") return value.length * 2;
  if (typeof value !== "object") return 8;
  if ("isStored" in value && "size" in value) return Number(value.size);
  if (ArrayBuffer.isView(value)) return value.byteLength;
  let size = 64;
  const entries = value instanceof Map ? value.entries() : Object.entries(value);
  for (const [key, item] of entries) size += sizeOf(key) + sizeOf(item);
  return size;
}
