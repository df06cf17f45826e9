import { createHash } from "node:crypto";
import { registerPicture } from "./cleaning";
import { reencodePicture } from "./picture";
import { saveImage } from "./storage";

/**
 * Saves an uploaded picture. Its name is a digest of its content: the same picture is stored once, and the
 * content at a URL never changes.
 *
 * @returns its URL, `/images/…`
 * @throws 415 if the content is not a picture, 422 for a broken picture
 */
export async function storePicture(file: File): Promise<{ url: string }> {
  const { bytes, kind } = await reencodePicture(new Uint8Array(await file.arrayBuffer()));
  const digest = createHash("sha256").update(bytes).digest("hex").slice(0, 40);
  const name = `${digest}.${kind}`;
  await registerPicture(name);
  await saveImage({ name, bytes });
  return { url: `/images/${name}` };
}
