import { z } from "zod";
import { amountField, quantityField } from "@/lib/backoffice/schemas";
import { rejectValue } from "@/lib/http/api/french-issues";
import { parseIri } from "@/lib/http/api/ids";
import { textField } from "@/lib/text/text-field";
import { REQUIRED } from "@/lib/text/texts";
import { AMOUNT_TOO_LOW, NOTHING_CHOSEN, REASON_REQUIRED, UNKNOWN_ITEM } from "./texts";

const REASON_MAX_LENGTH = 500;
/** More lines than an order can have; repeated lines are added up. */
const MAX_ITEMS = 500;
const MAX_PIECES = 1_000_000;

const item = z.object({
  item: z
    .unknown()
    .transform((value, context) => parseIri(value) ?? rejectValue(context, value, UNKNOWN_ITEM))
    .meta({ type: "integer", description: "Identifiant de l'article dans la commande" }),
  quantity: quantityField({ max: MAX_PIECES }),
});

const yes = (description: string) =>
  z.boolean("Cette valeur doit être vraie ou fausse.").nullish().describe(description);

/** The body of POST /api/admin_orders/{id}/refunds. */
export const refundInput = z
  .object({
    items: z
      .array(item, "Les articles à rembourser doivent être une liste.")
      .max(MAX_ITEMS)
      .nullish()
      .describe("Articles rendus ou annulés"),
    amount: amountField({
      description:
        "Montant à rendre en euros. Avec des articles ou la livraison : au plus leur prix, par défaut ce prix, ou ce qui reste à rendre si tout ce qui reste est remboursé ; la différence est une déduction. Seul : un geste commercial",
      required: REQUIRED,
    }).nullish(),
    shipping: yes("Rembourser aussi ce qui reste des frais de livraison"),
    restock: yes("Remettre les articles en stock"),
    reason: textField({
      description: "Motif, que l'acheteur lira sur l'avoir",
      required: REASON_REQUIRED,
      maxLength: REASON_MAX_LENGTH,
    }),
  })
  .transform(({ items, amount, shipping, restock, reason }) => ({
    items: items ?? [],
    amountCents: amount ?? null,
    shipping: shipping ?? false,
    restock: restock ?? false,
    reason,
  }))
  .superRefine(({ items, amountCents, shipping }, context) => {
    const refuse = (path: string, message: string) =>
      context.addIssue({ code: "custom", path: [path], message });
    if (amountCents === 0) refuse("amount", AMOUNT_TOO_LOW);
    else if (amountCents === null && items.length === 0 && !shipping)
      refuse("items", NOTHING_CHOSEN);
  });

export type RefundInput = z.output<typeof refundInput>;
