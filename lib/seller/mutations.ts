import { sql } from "drizzle-orm";
import { db } from "@/db";
import { shopSettings } from "@/db/schema/settings";
import { type Actor, recordChange } from "@/lib/audit/mutations";
import { requireVersion } from "@/lib/backoffice/version";
import { readSeller } from "./queries";
import { SELLER_ID, type Seller, sellerResource } from "./resource";
import type { SellerInput } from "./schemas";

/** Says who sells, from the next invoice on: those that exist keep what they say. @throws 409 */
export async function saveSeller({
  actor,
  input: { version: sent, address, ...texts },
}: {
  actor: Actor;
  input: SellerInput;
}): Promise<Seller> {
  const entity = "Seller";
  return db.transaction(async (tx) => {
    // There may be no row yet that could be locked. Invoices go on reading.
    await tx.execute(sql`lock table ${shopSettings} in share row exclusive mode`);
    const former = await readSeller(tx);
    const before = sellerResource.toJson(former);
    await requireVersion(tx, { entity, sent, current: before });
    const values = {
      ...texts,
      address: address.split("\n"),
      updatedAt: new Date(),
      version: former.version + 1,
    };
    await tx
      .insert(shopSettings)
      .values({ id: SELLER_ID, ...values })
      .onConflictDoUpdate({ target: shopSettings.id, set: values });
    const seller = await readSeller(tx);
    const after = sellerResource.toJson(seller);
    await recordChange(tx, {
      actor,
      entity,
      id: SELLER_ID,
      before: former.version === 0 ? null : before,
      after,
    });
    return seller;
  });
}
