import { promisify } from "node:util";
import {
  brotliCompress,
  brotliDecompressSync,
  gunzipSync,
  gzip,
  constants as zlib,
} from "node:zlib";
import { LRUCache } from "lru-cache";

// Contents of the cache in memory: compressed, and those that are often requested uncompressed besides.

// They are compressed by other threads: the process meanwhile goes on with other requests.
const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);

const MEBIBYTE = 1024 * 1024;
const UNPACKED_BYTES = 12 * MEBIBYTE;
/**
 * What is requested again within so many decompressions is also kept uncompressed. A crawler that walks
 * through thousands of pages would otherwise evict what visitors request.
 */
const REUSE_WINDOW = 1_000;

/** Recently decompressed content. */
const unpacked = new LRUCache<Packed, string | Buffer>({
  maxSize: UNPACKED_BYTES,
  sizeCalculation: (content) => (typeof content === "string" ? 2 * content.length : content.length),
});

let unpackings = 0;

/** A text or byte array in gzip, which is also sent as it is. */
export class Packed {
  /** The number of the decompression at which it was last requested. */
  private askedAt = Number.NEGATIVE_INFINITY;

  private constructor(
    readonly bytes: Buffer,
    private readonly chunkSize: number,
  ) {}

  static async of(content: string | Buffer): Promise<Packed> {
    const raw = Buffer.from(content);
    // One piece of memory is enough to restore it, if zlib sees that there is room left at its end.
    return new Packed(copyExact(await gzipAsync(raw)), raw.length + 64);
  }

  buffer(): Buffer {
    return this.remember(() => this.unpack()) as Buffer;
  }

  /** As `buffer`, for a text. */
  text(): string {
    return this.remember(() => this.unpack().toString()) as string;
  }

  private unpack(): Buffer {
    return gunzipSync(this.bytes, { chunkSize: this.chunkSize });
  }

  private remember(make: () => string | Buffer): string | Buffer {
    const known = unpacked.get(this);
    if (known !== undefined) return known;
    const content = make();
    unpackings += 1;
    if (unpackings - this.askedAt <= REUSE_WINDOW) unpacked.set(this, content);
    this.askedAt = unpackings;
    return content;
  }
}

/** Bytes by brotli, which looks back further than gzip. */
export const packBrotli = async (bytes: Buffer): Promise<Buffer> =>
  copyExact(await brotliAsync(bytes, { params: { [zlib.BROTLI_PARAM_QUALITY]: 3 } }));

export const unpackBrotli = (bytes: Buffer): Buffer => brotliDecompressSync(bytes);

/**
 * zlib returns a slice of a 16 KiB buffer, which it would retain: the copy is as long as its content,
 * which is what the size limit counts.
 */
const copyExact = ({ buffer, byteOffset, byteLength }: Buffer): Buffer =>
  Buffer.from(buffer.slice(byteOffset, byteOffset + byteLength));
