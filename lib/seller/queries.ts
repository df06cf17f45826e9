import { db, type Transaction } from "@/db";
import { shopSettings } from "@/db/schema/settings";
import { SELLER_ID, type Seller } from "./resource";

const UNKNOWN: Seller = {
  id: SELLER_ID,
  legalName: "",
  address: [],
  siren: "",
  vatNumber: "",
  email: "",
  version: 0,
};

/** Who sells; empty texts and version 0 until somebody has said so. */
export async function readSeller(tx: Pick<Transaction, "select"> = db): Promise<Seller> {
  const [row] = await tx.select().from(shopSettings);
  return row ?? UNKNOWN;
}
