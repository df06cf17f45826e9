/**
 * Does the client hold this state already? Compares an `If-None-Match` header with a tag; weakly,
 * since a proxy that compresses turns strong tags into weak ones.
 */
export function isKnownTag({ header, etag }: { header: string | null; etag: string }): boolean {
  if (header === null) return false;
  if (header.trim() === "*") return true;
  const bare = bareTag(etag);
  return header.split(",").some((tag) => bareTag(tag) === bare);
}

const bareTag = (tag: string) => tag.trim().replace(/^W\//, "");
