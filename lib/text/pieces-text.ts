import { formatNumber } from "@/lib/numbers";

/** "2 × Lampe, 1 × Vase", with spaces at which no line breaks. */
export const piecesText = (pieces: readonly { name: string; quantity: number }[]): string =>
  pieces.map(({ name, quantity }) => `${formatNumber(quantity)}\u00a0×\u00a0${name}`).join(", ");
