import { isHttpUrl, storedFileName } from "@/lib/files/sold-file";
import { isKeyedDigest, keyedDigest } from "@/lib/seal";

/** Seconds that a link works: long enough to restart a large download on a slow line. */
export const LINK_LIFETIME = 3600;

const PURPOSE = "download-link";

/** The user who views the order: its buyer or an administrator. */
export interface Viewer {
  id: number;
  /** Ends the user's links together with their sessions: after a new password or a closed account. */
  sessionVersion: number;
}

/**
 * The signed content of a link: the line whose file it gives, the user, and the expiry in seconds since 1970.
 */
interface DownloadClaim {
  lineId: number;
  userId: number;
  expires: number;
}

/**
 * The download address of a bought file; null where there is none. A file of the shop (`/downloads/…`) gets a
 * link that works for this viewer only and expires. A file on another site keeps its own address.
 *
 * @param link the product's link
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
