import { sql } from "drizzle-orm";
import { db } from "@/db";
import { shopSettings } from "@/db/schema/settings";
import { type Actor, recordChange } from "@/lib/audit/mutations";
import { requireVersion } from "@/lib/backoffice/version";
import { fail } from "@/lib/errors/failure";
import { invalidate } from "@/lib/http/cache/cache";
import { CACHE_TAGS } from "@/lib/http/cache/cache-tags";
import { readSeller } from "./queries";
import { SELLER_ID, type Seller, sellerResource } from "./resource";
import { sellerProblems } from "./rules";
import type { SellerChange } from "./schemas";

/** Saves the seller for future invoices; existing invoices do not change. @throws 409, 422 */
export async function saveSeller({
  actor,
  input: { version: sent, ...texts },
}: {
  actor: Actor;
  input: SellerChange;
}): Promise<Seller> {
  const entity = "Seller";
  const seller = await db.transaction(async (tx) => {
    // Lock the table, since there may be no row to lock yet. Invoices can still read it.
    await tx.execute(sql`lock table ${shopSettings} in share row exclusive mode`);
    const former = await readSeller(tx);
    const before = sellerResource.toJson(former);
    await requireVersion(tx, { entity, sent, current: before });
    const { address, vatExempt, ...wanted } = { ...before, ...definedOf(texts) };
    const problems = sellerProblems({ ...wanted, address, vatExempt });
    if (problems.length > 0)
      throw fail.violations(
        problems.map(({ field, message }) => ({ propertyPath: field, message })),
      );
    const values = {
      ...wanted,
      address: address.split("\n"),
      isVatExempt: vatExempt,
      updatedAt: new Date(),
      version: former.version + 1,
    };
    await tx
      .insert(shopSettings)
      .values(values)
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
  await invalidate([CACHE_TAGS.seller]);
  return seller;
}

/** The values without undefined ones, which were not sent. */
const definedOf = <T extends object>(values: T) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
