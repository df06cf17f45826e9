/** Is every "%" the start of an encoded character? `decodeURIComponent` throws otherwise. */
export function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** The text with its encoded characters decoded; unchanged if it is malformed. */
export const decoded = (text: string): string =>
  isDecodable(text) ? decodeURIComponent(text) : text;
