import { decoded } from "@/lib/text/percent-encoding";

// Next.js writes the address that it renders for into the data of a page (RSC): `c`, path and query split at
// the slashes, and `q`, the query. A stored page is sent to everybody, so it must not hold anything of whoever
// asked for it first: docs/security.md.

const ADDRESS = /^(0:\{[^\n]*?)"c":(\[(?:"(?:[^"\\]|\\.)*",?)*\]),"q":("(?:[^"\\]|\\.)*")/m;

/** How a document passes the page's data to Next.js's scripts. */
const DATA_SCRIPT = /self\.__next_f\.push\((\[1,"(?:[^"\\]|\\.)*"\])\)/g;

/**
 * The page with the address of its key in its data, whatever else the requested one contained. Null where that cannot
 * be done: then the page may name something of its visitor.
 *
 * @param key of the page in Next.js's cache
 * @param data the page's RSC payload
 */
export function withOwnAddress({
  key,
  html,
  data,
}: {
  key: string;
  html: string;
  data: string;
}): { html: string; data: string } | null {
  const url = addressIn(data);
  const own = url === null ? null : ownAddress(url, key);
  if (own === null) return null;
  if (url === own) return { html, data };
  let isReplaced = false;
  const replacedHtml = html.replace(DATA_SCRIPT, (script, argument: string) => {
    const [, text] = JSON.parse(argument) as [number, string];
    if (isReplaced || addressIn(text) !== url) return script;
    isReplaced = true;
    return script.replace(argument, () => asScript([1, withAddress(text, own)]));
  });
  return isReplaced ? { html: replacedHtml, data: withAddress(data, own) } : null;
}

/** Path and query in a page's data; null where there is none. */
function addressIn(data: string): string | null {
  const parts = ADDRESS.exec(data)?.[2];
  return parts === undefined ? null : (JSON.parse(parts) as string[]).join("/");
}

const withAddress = (data: string, url: string): string =>
  data.replace(
    ADDRESS,
    (_, start: string) => `${start}"c":${JSON.stringify(url.split("/"))},"q":""`,
  );

/** As Next.js writes JSON into a document. */
const asScript = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[&<>\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** How the keys of Next.js's cache begin, before the path of a page. The stored pages are below `/site/fr`. */
const KEY_START = /^(?:\/route-cache\/\w+\/\w+\/\$)?(?:\/site\/fr(?=\/|$))?/;

/** The path of a stored page by its key, without a prefix of Next.js and the language. */
export const pathOfKey = (key: string): string => key.replace(KEY_START, "") || "/";

/**
 * The address of a page by its key: the requested path and, for a view of the catalogue, the parameters that stand in
 * the key as segments (`/products/category/3`). Null where the path is not the key's.
 */
function ownAddress(requested: string, key: string): string | null {
  const [path = ""] = requested.split("?", 1);
  const own = pathOfKey(key);
  if (decoded(path) === decoded(own)) return path;
  if (!own.startsWith(`${path}/`)) return null;
  const segments = own.slice(path.length + 1).split("/");
  if (segments.join("/") === "page/1") return path;
  const pairs = segments.flatMap((name, i) =>
    i % 2 === 0 ? [[name, decoded(segments[i + 1] ?? "")]] : [],
  );
  return `${path}?${new URLSearchParams(pairs)}`;
}
