/** An amount in a search text, with its original text. */
interface SearchedAmount {
  text: string;
  cents: number;
}

/** "42,90", "42.9", "1 250,00 €", "43 €"; not a part of a longer number or word: "1.250.000", "v1.5". */
const AMOUNT =
  /(?<![\p{L}\p{N}]|\d[.,])(\d{1,3}(?:[ \u00a0\u202f]\d{3})+|\d{1,7})(?:[.,](\d{1,2}))?(\s?€)?(?![\p{L}\p{N}]|[.,]\d)/gu;

/**
 * The amounts in a search text, and the text without them. A number is an amount only with decimals or a
 * euro sign; otherwise it is the number of a document or a street.
 */
export function amountsIn(search: string): { amounts: SearchedAmount[]; rest: string } {
  const amounts: SearchedAmount[] = [];
  const rest = search.replace(AMOUNT, (text, euros: string, decimals = "", sign = "") => {
    if (!decimals && !sign) return text;
    const cents = Number(euros.replace(/\D/g, "")) * 100 + Number(decimals.padEnd(2, "0"));
    amounts.push({ text, cents });
    return " ";
  });
  return { amounts, rest };
}
