import { expect, test } from "@playwright/test";
import { acceptsGzip, isDocumentRequest } from "@/lib/http/server/stored-page";

// What leaves by it is tried in e2e/api/stored-pages.spec.ts.

test("gzip is sent to those who name it, or take anything", () => {
  for (const header of ["gzip", "deflate, gzip;q=0.5", "*", "GZIP", "br;q=1, *;q=0.1"])
    expect(acceptsGzip(header), header).toBe(true);
  for (const header of [undefined, "", "br", "gzip;q=0", "*, gzip; q=0.0", "x-gzip", "*;q=0"])
    expect(acceptsGzip(header), header).toBe(false);
});

const asked = (url: string, headers: Record<string, string> = {}, method = "GET") =>
  isDocumentRequest({ method, url, headers });

test("a public page asked for plainly is a document, whatever else a browser says", () => {
  for (const url of ["/", "/?utm_source=a", "/products", "/products?page=2", "/product/7"])
    expect(asked(url, { accept: "*/*", cookie: "a=b", "x-forwarded-for": "1.2.3.4" }), url).toBe(
      true,
    );
  expect(asked("/contact", {}, "HEAD")).toBe(true);
});

test("other pages, other methods and what Next.js's router asks for are none", () => {
  for (const url of ["/login", "/cart", "/product/7/a", "/productsx", "/api/products", "//", "*"])
    expect(asked(url), url).toBe(false);
  expect(asked(`/products?a=${"a".repeat(300)}`)).toBe(false);
  expect(asked("/", {}, "POST")).toBe(false);
  for (const name of ["rsc", "next-router-prefetch", "next-url", "x-nextjs-data"])
    expect(asked("/", { [name]: "1" }), name).toBe(false);
});
