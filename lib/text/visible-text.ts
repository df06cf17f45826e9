/**
 * Invisible characters: format characters (zero-width spaces, soft hyphens, direction marks), ignorable
 * fillers, and the blank of Braille. Some join the characters around them, as in emoji.
 */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Number of visible characters, spaces included. */
export const visibleLength = (text: string): number => [...text.replace(INVISIBLE, "")].length;

/**
 * Does the text have controls of the writing direction (embeddings, overrides, isolates)? They are
 * invisible and change the order in which the text after them reads.
 */
export const hasBidiControls = (text: string): boolean => /[\u202A-\u202E\u2066-\u2069]/.test(text);

/** Is nothing in the text visible? */
export const isBlank = (text: string): boolean =>
  /^[\s\p{Cc}]*$/u.test(text.replace(INVISIBLE, ""));
