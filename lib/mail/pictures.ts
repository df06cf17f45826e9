import { eq } from "drizzle-orm";
import { db } from "@/db";
import { invoices } from "@/db/schema/invoices";
import { orderLines } from "@/db/schema/orders";
import { imageUrl } from "@/lib/catalogue/rules";
import { siteUrl } from "@/lib/env";
import { isResizable, PICTURE_WIDTHS, resizedUrl } from "@/lib/uploads/resized-picture";

/** The picture of a bought product, as a mail shows it. */
export interface LinePicture {
  /** The line's name and price tell it from the others of its order. */
  name: string;
  unitPriceCents: number;
  src: string;
  href: string | null;
}

/** Twice the shown size and more, for dense screens. */
const WIDTH = PICTURE_WIDTHS.fixed[1];

/** The pictures of the order that an invoice is for. */
export async function listPicturesOfInvoice(invoiceId: number): Promise<LinePicture[]> {
  const rows = await db
    .select({
      name: orderLines.name,
      unitPriceCents: orderLines.unitPriceCents,
      productId: orderLines.productId,
      image: orderLines.image,
    })
    .from(invoices)
    .innerJoin(orderLines, eq(orderLines.orderId, invoices.orderId))
    .where(eq(invoices.id, invoiceId))
    .orderBy(orderLines.id);
  return picturesOf(rows);
}

interface Line {
  name: string;
  unitPriceCents: number;
  productId: number | null;
  image: string | null;
}

/**
 * Only the shop's own pictures: another site would learn when a mail is opened. The shop sends them as JPEG to
 * mail programs that do not accept WebP.
 */
export const picturesOf = (lines: readonly Line[]): LinePicture[] =>
  lines.flatMap(({ name, unitPriceCents, productId, image }) => {
    const path = imageUrl(image);
    if (!isResizable(path)) return [];
    const src = siteUrl() + resizedUrl(path, WIDTH);
    const href = productId === null ? null : `${siteUrl()}/product/${productId}`;
    return [{ name, unitPriceCents, src, href }];
  });
