import { z } from "zod";
import { quantityField, relationsField, versionField } from "@/lib/backoffice/schemas";
import { rejectValue } from "@/lib/http/api/french-issues";
import { parseIri } from "@/lib/http/api/ids";
import { MAX_LINES, MAX_PIECES } from "@/lib/orders/admin-schemas";
import { LINE_REQUIRED, LINE_TWICE, NO_LINES, WRONG_LINE } from "@/lib/orders/texts";
import { singleLine, textField } from "@/lib/text/text-field";
import { tooLong } from "@/lib/text/texts";
import { CARRIER_MAX_LENGTH, carrierName, TRACKING_MAX_LENGTH } from "./rules";
import { CARRIER_REQUIRED, NO_ORDERS, WRONG_TRACKING } from "./texts";

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

/** Pieces of order lines that go into a parcel: `[{item, quantity}]`. */
const orderedPieces = z
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

const carrier = textField({
  description: "Transporteur : Colissimo, Chronopost, Mondial Relay … ou un autre",
  required: CARRIER_REQUIRED,
  maxLength: CARRIER_MAX_LENGTH,
  clean: (text) => carrierName(singleLine(text)),
  wrongType: CARRIER_REQUIRED,
});

/** Letters, digits, signs and spaces: characters that a parcel's label can show. */
const VISIBLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u;

const trackingNumber = z
  .union([z.string(), z.int().transform(String)])
  .transform((text) => text.replace(/^ +| +$/g, ""))
  .pipe(
    z
      .string()
      .regex(VISIBLE, WRONG_TRACKING)
      .refine((text) => [...text].length <= TRACKING_MAX_LENGTH, tooLong(TRACKING_MAX_LENGTH)),
  )
  .nullable()
  .transform((text) => text || null)
  .meta({
    type: ["string", "null"],
    maxLength: TRACKING_MAX_LENGTH,
    description: "Numéro de suivi ; null ou vide sans suivi",
  });

/** The body of POST /api/admin_orders/{id}/shipments. */
export const shipmentInput = z.object({
  carrier,
  trackingNumber: trackingNumber.optional(),
  items: orderedPieces
    .nullish()
    .describe("Les articles et leurs quantités ; sans eux, tout ce qui reste à envoyer"),
  version: versionField,
});

/** The body of PUT /api/shipments/{id}: fields that are not sent stay. */
export const shipmentChange = z.object({
  carrier: carrier.optional(),
  trackingNumber: trackingNumber.optional(),
  version: versionField,
});

/** Most orders per PDF of packing slips: one page of the back office's list. */
const MAX_SLIPS = 100;

/** The body of POST /api/packing_slips. */
export const packingSlipsInput = z.object({
  orders: relationsField({
    collection: "admin_orders",
    description: "Les commandes, dans l'ordre des bons",
    wrongType: NO_ORDERS,
  })
    .refine((ids) => ids.length > 0, NO_ORDERS)
    .refine(
      (ids) => ids.length <= MAX_SLIPS,
      `On peut imprimer au plus ${MAX_SLIPS} bons à la fois.`,
    )
    .meta({ minItems: 1, maxItems: MAX_SLIPS }),
});

export type ShipmentInput = z.output<typeof shipmentInput>;
export type ShipmentChange = z.output<typeof shipmentChange>;

/** The response to a step without a resource of its own. */
export const stepAnswer = z.object({
  message: z.string().describe("Phrase à montrer"),
  id: z.int().describe("Identifiant de la commande"),
  status: z.string().describe("État de la commande"),
});

export type StepAnswer = z.output<typeof stepAnswer>;
