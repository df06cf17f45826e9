const LENGTHS = new Set([8, 12, 13, 14]);

/**
 * Whether these digits are a GTIN (GTIN-8, 12, 13 or 14) with the right check digit: from the right, the digits
 * before it count three times and once in turn, and the sum with it is a multiple of ten.
 */
export function isGtin(digits: string): boolean {
  if (!/^\d+$/.test(digits) || !LENGTHS.has(digits.length)) return false;
  const sum = [...digits]
    .reverse()
    .reduce((total, digit, place) => total + Number(digit) * (place % 2 === 0 ? 1 : 3), 0);
  return sum % 10 === 0;
}
