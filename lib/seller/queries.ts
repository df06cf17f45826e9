import { db, type Transaction } from "@/db";
import { shopSettings } from "@/db/schema/settings";
import { takesRealMoney } from "@/lib/env";
import { cached } from "@/lib/http/cache/cache";
import { CACHE_TAGS } from "@/lib/http/cache/cache-tags";
import { SELLER_ID, type Seller } from "./resource";
import { missingToSell } from "./rules";

const UNKNOWN: Seller = {
  id: SELLER_ID,
  legalName: "",
  address: [],
  siren: "",
  vatNumber: "",
  isVatExempt: false,
  email: "",
  phone: "",
  publisher: "",
  host: "",
  terms: "",
  version: 0,
};

/** The seller and the terms of sale; empty texts and version 0 until they are entered. */
export async function readSeller(tx: Pick<Transaction, "select"> = db): Promise<Seller> {
  const [row] = await tx.select().from(shopSettings);
  if (!row) return UNKNOWN;
  const { updatedAt: _, ...seller } = row;
  return seller;
}

/** Whether the seller is outside VAT. The statement is sent at once. */
export function readIsVatExempt(tx: Pick<Transaction, "select"> = db): Promise<boolean> {
  return tx
    .select({ isVatExempt: shopSettings.isVatExempt })
    .from(shopSettings)
    .execute()
    .then(([row]) => row?.isVatExempt ?? false);
}

/**
 * The details that the seller must fill in before real cards are charged; empty if nothing is missing, or if
 * the shop takes no real money.
 */
export async function readMissingToSell(): Promise<string[]> {
  return takesRealMoney() ? missingToSell(await readSeller()) : [];
}

/** `readSeller`, cached for public pages. */
export const getPublicSeller = () =>
  cached({ key: ["seller"], tags: [CACHE_TAGS.seller], run: () => readSeller() });
