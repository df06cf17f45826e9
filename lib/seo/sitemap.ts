import { imageUrl } from "@/lib/catalogue/rules";
import { urlOfView } from "@/lib/catalogue/url";
import { siteUrl } from "@/lib/env";
import { fail } from "@/lib/errors/failure";
import { MAX_ID, parseId } from "@/lib/http/api/ids";
import { problem } from "@/lib/http/api/problem";
import { escapeXml } from "@/lib/http/html";
import { textStream } from "@/lib/http/text-stream";
import { pathsOf } from "@/lib/pages";
import { absoluteUrl } from "./json-ld";
import { getCatalogueChanges, listProductChanges, listProductRanges } from "./queries";

/**
 * Ids per part; the protocol allows 50,000 URLs and 50 MB. A part is a fixed range of ids, so that a new
 * product changes only the last part, and no rows have to be counted or skipped.
 */
const PART_IDS = 25_000;
/** Products read and sent at a time, which bounds the memory of a part. */
const CHUNK = 2_500;
/** The part with everything except products. */
const PAGES_PART = "pages";

const NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9";
/** Of the pictures of a page, which search engines list beside it. */
const IMAGES_NAMESPACE = "http://www.google.com/schemas/sitemap-image/1.1";

const HEADERS = {
  "Content-Type": "application/xml; charset=utf-8",
  // A CDN may cache it for an hour; this server generates it for each request.
  "Cache-Control": "public, max-age=0, s-maxage=3600, stale-while-revalidate=86400",
};

/**
 * The response to GET /sitemap.xml: the index, or one part with `?part=`. The parts are at the root like the
 * index, since a sitemap may only list URLs below its own folder.
 */
export async function answerSitemap(request: Request): Promise<Response> {
  try {
    const part = new URL(request.url).searchParams.get("part");
    const content =
      part === null
        ? await indexXml()
        : part === PAGES_PART
          ? await pagesXml()
          : await textStream(productsXml(part));
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

/** The products of one range of ids, read while the response is sent. @throws 404 for an empty range */
async function* productsXml(part: string): AsyncGenerator<string> {
  const number = parseId(part);
  if (number === null || (number - 1) * PART_IDS >= MAX_ID) throw missingPart();
  const start = (number - 1) * PART_IDS;
  yield head("urlset");
  for (let after: number | undefined = start; after !== undefined; ) {
    const chunk = await listProductChanges({ after, until: start + PART_IDS, limit: CHUNK });
    if (after === start && chunk.length === 0) throw missingPart();
    yield chunk
      .map(({ id, lastModified, images }) =>
        entry("url", {
          loc: `${siteUrl()}/product/${id}`,
          lastmod: lastModified,
          images: images.flatMap((image) => absoluteUrl(imageUrl(image)) ?? []),
        }),
      )
      .join("");
    after = chunk.length === CHUNK ? chunk.at(-1)?.id : undefined;
  }
  yield foot("urlset");
}

const missingPart = () => fail.notFound("Cette partie du plan du site n'existe pas.");

type Root = "sitemapindex" | "urlset";

const head = (root: Root) => {
  const images = root === "urlset" ? ` xmlns:image="${IMAGES_NAMESPACE}"` : "";
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="${NAMESPACE}"${images}>\n`;
};
const foot = (root: Root) => `</${root}>\n`;
const document = (root: Root, entries: readonly string[]) =>
  head(root) + entries.join("") + foot(root);

function entry(
  element: "sitemap" | "url",
  {
    loc,
    lastmod,
    images = [],
  }: { loc: string; lastmod?: string | null; images?: readonly string[] },
): string {
  const modified = lastmod ? `<lastmod>${lastmod}</lastmod>` : "";
  const pictures = images
    .map((image) => `<image:image><image:loc>${escapeXml(image)}</image:loc></image:image>`)
    .join("");
  return `<${element}><loc>${escapeXml(loc)}</loc>${modified}${pictures}</${element}>\n`;
}
