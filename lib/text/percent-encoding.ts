/** Is every "%" the start of an encoded character? `decodeURIComponent` throws otherwise. */
export function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
