import { createHash } from "node:crypto";
import { notePicture } from "./cleaning";
import { redrawPicture } from "./picture";
import { saveImage } from "./storage";

/**
 * Keeps an uploaded picture. Its name is made of what it shows: the same picture sent twice is kept
 * once, and what is at an address never changes.
 *
 * @returns its address, `/images/…`
 * @throws 415 for what is no picture by its content, 422 for a broken one
 */
export async function storePicture(file: File): Promise<{ url: string }> {
  const { bytes, kind } = await redrawPicture(new Uint8Array(await file.arrayBuffer()));
  const digest = createHash("sha256").update(bytes).digest("hex").slice(0, 40);
  const name = `${digest}.${kind}`;
  await notePicture(name);
  await saveImage({ name, bytes });
  return { url: `/images/${name}` };
}
