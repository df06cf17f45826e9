/**
 * Does the client have this state already (304)? `header` is `If-None-Match`; the comparison is weak,
 * since a proxy that compresses turns strong ETags into weak ones.
 */
export function isNotModified({ header, etag }: { header: string | null; etag: string }): boolean {
  if (header === null) return false;
  if (header.trim() === "*") return true;
  const opaque = opaqueTag(etag);
  return header.split(",").some((tag) => opaqueTag(tag) === opaque);
}

const opaqueTag = (tag: string) => tag.trim().replace(/^W\//, "");
