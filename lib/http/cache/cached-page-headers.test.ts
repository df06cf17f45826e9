import { expect, test } from "@playwright/test";
import { forbidSharedCaching, setPageHeaders } from "@/lib/http/cache/cached-page-headers";

const page = {
  key: "/site/fr",
  value: {},
  tags: ["_N_T_/layout", "catalogue", "product:7"],
  lastModified: 0,
};

const NEXT_LIFE = "s-maxage=300, stale-while-revalidate=3300";

function answerWith(life: string) {
  const headers: Record<string, unknown> = { "Cache-Control": life };
  const response = {
    getHeader: (name: string) => headers[name] as string,
    setHeader: (name: string, value: unknown) => {
      headers[name] = value;
      return response as never;
    },
  };
  return { headers, response };
}

function headersOf(given: Partial<Parameters<typeof setPageHeaders>[0]>): Record<string, unknown> {
  const { headers, response } = answerWith(NEXT_LIFE);
  setPageHeaders({ response, path: "/", page, hasTags: true, isExpired: false, ...given });
  return headers;
}

test("a page has its cache tags if the front cache is configured", () => {
  expect(headersOf({})["Cache-Tag"]).toBe("pages,catalogue,product:7");
  expect(headersOf({ hasTags: false })["Cache-Tag"]).toBeUndefined();
});

test("browsers do not show a page that has expired", () => {
  for (const hasTags of [true, false])
    expect(headersOf({ hasTags })["Cache-Control"]).toBe("s-maxage=300");
});

test("a page that expired while it was read is not cached", () => {
  const headers = headersOf({ isExpired: true });
  expect(headers["Cache-Tag"]).toBeUndefined();
  expect(headers["Cache-Control"]).toContain("no-store");
});

test("a page that the middleware guards is not cached", () => {
  for (const path of ["/login", "/account", "/checkout", "/backoffice/products"])
    expect(headersOf({ path })["Cache-Control"], path).toContain("no-store");
});

test("a page made for one visitor is not cached; other cache headers are kept", () => {
  for (const [before, after] of [
    [NEXT_LIFE, /no-store/],
    ["public, max-age=60, stale-while-revalidate=60", /^public, max-age=60, stale-/],
  ] as const) {
    const { headers, response } = answerWith(before);
    forbidSharedCaching(response);
    expect(headers["Cache-Control"]).toMatch(after);
  }
});
