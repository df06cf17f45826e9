import { isKeyedDigest, keyedDigest } from "@/lib/seal";
import { isHttpUrl, storedFileName } from "@/lib/sold-file";

/** Seconds that a link works: long enough for a large file over a slow line to be begun again. */
export const LINK_LIFETIME = 3600;

const PURPOSE = "download-link";

/** Whoever sees the order: its buyer, or an administrator. */
export interface Viewer {
  id: number;
  /** Links end with the sessions of whom they were made for: a new password, a closed account. */
  sessionVersion: number;
}

/** What a signed link says: which line's file, for whom, and until when (seconds since 1970). */
interface DownloadClaim {
  lineId: number;
  userId: number;
  expires: number;
}

/**
 * The address that a buyer downloads from; null where there is none. A file of the shop
 * (`/downloads/…`) gets a link that serves this viewer alone and expires; a file elsewhere is given
 * as it is.
 *
 * @param link as the product has it
 */
export function downloadLinkFor({
  link,
  lineId,
  viewer,
  now = Date.now(),
}: {
  link: string | null;
  lineId: number;
  viewer: Viewer;
  now?: number;
}): string | null {
  if (!link) return null;
  const name = storedFileName(link);
  if (name === null) return isHttpUrl(link) ? link : null;
  const expires = Math.floor(now / 1000) + LINK_LIFETIME;
  const claim = { lineId, userId: viewer.id, expires };
  const query = new URLSearchParams({
    user: String(viewer.id),
    expires: String(expires),
    signature: keyedDigest({
      text: signedText({ claim, sessionVersion: viewer.sessionVersion }),
      purpose: PURPOSE,
    }),
  });
  return `/downloads/${lineId}/${encodeURIComponent(name.split("/").at(-1) ?? "")}?${query}`;
}

/** Was this claim signed by the shop, for a viewer with this session version? */
export function isSigned({
  claim,
  sessionVersion,
  signature,
}: {
  claim: DownloadClaim;
  sessionVersion: number;
  signature: string;
}): boolean {
  const text = signedText({ claim, sessionVersion });
  return isKeyedDigest({ digest: signature, text, purpose: PURPOSE });
}

function signedText({
  claim: { lineId, userId, expires },
  sessionVersion,
}: {
  claim: DownloadClaim;
  sessionVersion: number;
}): string {
  return [lineId, userId, sessionVersion, expires].join(".");
}
