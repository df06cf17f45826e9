import { urlOfView } from "@/lib/catalogue/url";
import { siteUrl } from "@/lib/env";
import { fail } from "@/lib/errors";
import { MAX_ID, parseId } from "@/lib/http/api/ids";
import { problem } from "@/lib/http/api/problem";
import { escapeXml } from "@/lib/http/html";
import { pathsOf } from "@/lib/pages";
import {
  getCatalogueChanges,
  listProductChanges,
  listProductRanges,
  type ProductChange,
} from "./queries";

/**
 * Ids in one part; the protocol allows 50,000 URLs and 50 MB. A part is a fixed range of ids,
 * so that a new product touches the last part only and nothing has to be counted or skipped.
 */
const PART_IDS = 25_000;
/** Products read and written at a time, which bounds the memory of a part. */
const CHUNK = 2_500;
/** The part that holds everything but products. */
const PAGES_PART = "pages";

const NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9";

const HEADERS = {
  "Content-Type": "application/xml; charset=utf-8",
  // A CDN may cache it for an hour; this server always generates it anew.
  "Cache-Control": "public, max-age=0, s-maxage=3600, stale-while-revalidate=86400",
};

/**
 * The answer to GET /sitemap.xml: the index, or with `?part=` one of its parts. The parts stand at
 * the root like the index, since a sitemap may only list URLs below its own folder.
 */
export async function answerSitemap(request: Request): Promise<Response> {
  try {
    const part = new URL(request.url).searchParams.get("part");
    const content =
      part === null
        ? await indexXml()
        : part === PAGES_PART
          ? await pagesXml()
          : await productsXml(part);
    return new Response(content, { headers: HEADERS });
  } catch (error) {
    return problem(error, { request });
  }
}

async function indexXml(): Promise<string> {
  const ranges = await listProductRanges({ size: PART_IDS });
  const entries = [PAGES_PART, ...ranges].map((part) =>
    entry("sitemap", { loc: `${siteUrl()}/sitemap.xml?part=${part}` }),
  );
  return document("sitemapindex", entries);
}

async function pagesXml(): Promise<string> {
  const { catalogue, categories } = await getCatalogueChanges();
  const pages = [
    ...pathsOf(({ isIndexed = false }) => isIndexed).map((path) => ({
      path,
      lastmod: path === "/" || path === "/products" ? catalogue : null,
    })),
    ...categories.map(({ id, lastModified }) => ({
      path: urlOfView({ categoryId: id, page: 1 }),
      lastmod: lastModified,
    })),
  ];
  const entries = pages.map(({ path, lastmod }) =>
    entry("url", { loc: siteUrl() + path, lastmod }),
  );
  return document("urlset", entries);
}

/** The products of one range of ids, read while it is sent. 404 where there is none. */
async function productsXml(part: string): Promise<ReadableStream<Uint8Array>> {
  const number = parseId(part);
  if (number === null || (number - 1) * PART_IDS >= MAX_ID) throw missingPart();
  const until = number * PART_IDS;
  const read = (after: number) => listProductChanges({ after, until, limit: CHUNK });
  // Read before the response begins, so that an error still becomes a status.
  const first = await read(until - PART_IDS);
  if (first.length === 0) throw missingPart();
  return streamOf(productEntries({ first, read }));
}

async function* productEntries(source: {
  first: ProductChange[];
  read: (after: number) => Promise<ProductChange[]>;
}): AsyncGenerator<string> {
  const productUrl = `${siteUrl()}/product/`;
  yield head("urlset");
  for (let chunk = source.first; chunk.length > 0; ) {
    yield chunk
      .map(({ id, lastModified }) => entry("url", { loc: productUrl + id, lastmod: lastModified }))
      .join("");
    const last = chunk.at(-1);
    chunk = last && chunk.length === CHUNK ? await source.read(last.id) : [];
  }
  yield foot("urlset");
}

const missingPart = () => fail.notFound("Cette partie du plan du site n'existe pas.");

/** A stream with backpressure, which ends its source when it is cancelled. */
function streamOf(texts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await texts.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await texts.return(undefined);
    },
  });
}

type Root = "sitemapindex" | "urlset";

const head = (root: Root) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="${NAMESPACE}">\n`;
const foot = (root: Root) => `</${root}>\n`;
const document = (root: Root, entries: readonly string[]) =>
  head(root) + entries.join("") + foot(root);

function entry(
  element: "sitemap" | "url",
  { loc, lastmod }: { loc: string; lastmod?: string | null },
): string {
  const modified = lastmod ? `<lastmod>${lastmod}</lastmod>` : "";
  return `<${element}><loc>${escapeXml(loc)}</loc>${modified}</${element}>\n`;
}
