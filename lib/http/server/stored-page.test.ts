import { expect, test } from "@playwright/test";
import { acceptsGzip, isDocumentRequest } from "@/lib/http/server/stored-page";

// What leaves by it is tried in e2e/api/stored-pages.spec.ts.

test("gzip is sent to clients that accept it, by name or by *", () => {
  for (const header of ["gzip", "deflate, gzip;q=0.5", "*", "GZIP", "br;q=1, *;q=0.1"])
    expect(acceptsGzip(header), header).toBe(true);
  for (const header of [undefined, "", "br", "gzip;q=0", "*, gzip; q=0.0", "x-gzip", "*;q=0"])
    expect(acceptsGzip(header), header).toBe(false);
});

test("a plain GET or HEAD asks for a document, whatever its other headers", () => {
  const headers = { accept: "*/*", cookie: "a=b", "x-forwarded-for": "1.2.3.4" };
  for (const method of ["GET", "HEAD"]) expect(isDocumentRequest({ method, headers })).toBe(true);
});

test("other methods and requests of Next.js's router ask for no document", () => {
  expect(isDocumentRequest({ method: "POST", headers: {} })).toBe(false);
  for (const name of ["rsc", "next-router-prefetch", "next-url", "x-nextjs-data"])
    expect(isDocumentRequest({ method: "GET", headers: { [name]: "1" } }), name).toBe(false);
});
