import { z } from "zod";
import { quantityField } from "@/lib/backoffice/schemas";
import { rejectValue } from "@/lib/http/api/french-issues";
import { parseIri } from "@/lib/http/api/ids";
import { MAX_LINES, MAX_PIECES } from "./admin-schemas";
import { LINE_REQUIRED, LINE_TWICE, NO_LINES, WRONG_LINE } from "./texts";

const lineField = z
  .unknown()
  .transform(
    (value, context) =>
      parseIri(value, "order_items") ??
      rejectValue(
        context,
        value,
        value === undefined || value === null || value === "" ? LINE_REQUIRED : WRONG_LINE,
      ),
  )
  .meta({
    type: ["integer", "string"],
    examples: [7, "7"],
    description: "Identifiant d'une ligne de la commande, comme dans orderItems",
  });

/** Pieces of order lines that admins send or refund: `[{item, quantity}]`. */
export const orderedPieces = z
  .array(z.object({ item: lineField, quantity: quantityField({ max: MAX_PIECES }) }))
  .min(1, NO_LINES)
  .max(MAX_LINES)
  .superRefine((pieces, context) => {
    const seen = new Set<number>();
    pieces.forEach(({ item }, index) => {
      if (seen.has(item))
        context.addIssue({ code: "custom", path: [index, "item"], message: LINE_TWICE });
      seen.add(item);
    });
  });
