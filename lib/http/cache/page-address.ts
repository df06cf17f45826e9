// Next.js writes the address that it renders for into the data of a page (RSC): `c`, path and query split at
// the slashes, and `q`, the query. A stored page is sent to everybody, so it must not hold anything of whoever
// asked for it first: docs/security.md.

const ADDRESS = /^0:\{[^\n]*?"c":(\[(?:"(?:[^"\\]|\\.)*",?)*\]),"q":("(?:[^"\\]|\\.)*")/m;

/** How a document passes the page's data to Next.js's scripts. */
const DATA_SCRIPT = /self\.__next_f\.push\((\[1,"(?:[^"\\]|\\.)*"\])\)/g;

interface PageAddress {
  /** Path and query. */
  url: string;
  /** With its question mark; empty where there is none. */
  query: string;
}

/** The address in a page's data; null where it is not found. */
export function addressInData(data: string): PageAddress | null {
  const [, parts, query] = ADDRESS.exec(data) ?? [];
  if (parts === undefined || query === undefined) return null;
  return { url: (JSON.parse(parts) as string[]).join("/"), query: JSON.parse(query) };
}

/** The address in a page's document; null where it is not found. */
export function addressInDocument(html: string): PageAddress | null {
  let data = "";
  for (const [, argument = ""] of html.matchAll(DATA_SCRIPT)) data += JSON.parse(argument)[1];
  return addressInData(data);
}

/** How the keys of Next.js's cache begin, before the path of a page. The stored pages are below `/site/fr`. */
const KEY_START = /^(?:\/route-cache\/\w+\/\w+\/\$)?(?:\/site\/fr(?=\/|$))?/;

/** What Next.js's router adds to the URL when it asks for a page's data: a hash of the request's headers. */
const ROUTER_PARAMETER = /[?&]_rsc=[\w-]*$/;

/** Does the data of a page name the address of its key in the cache, and no other? */
export function isOwnAddress(key: string, address: PageAddress | null): boolean {
  if (!address) return false;
  const url = address.url.replace(ROUTER_PARAMETER, "");
  // The query of a view of the catalogue stands in its key as segments: `/products/category/3`.
  const segments = decoded(url.replace(/[?=&]/g, "/").replaceAll("+", " "));
  const own = decoded(key.replace(KEY_START, "")) || "/";
  return (own === segments || own === `${segments}/page/1`) && url.endsWith(address.query);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
