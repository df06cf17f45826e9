import { z } from "zod";
import { ADDRESS_TYPES, phoneProblem, postalCodeProblem } from "@/lib/addresses/rules";
import { textField } from "@/lib/text/text-field";
import { REQUIRED } from "@/lib/text/texts";

const postalCode = textField({ description: "Code postal", maxLength: 100 })
  .superRefine((value, context) => {
    const message = postalCodeProblem(value);
    if (message !== null) context.addIssue({ code: "custom", message });
  })
  .meta({
    description: "Code postal : 12345 ou 12345-6789",
    minLength: 5,
    maxLength: 10,
    pattern: "^\\d{5}(-\\d{4})?$",
  });

const phone = textField({ description: "Téléphone", maxLength: 100 })
  .superRefine((value, context) => {
    const message = phoneProblem(value);
    if (message !== null) context.addIssue({ code: "custom", message });
  })
  .meta({
    description:
      "Téléphone, pour le transporteur : chiffres, espaces, points, tirets, parenthèses, et + au début",
    maxLength: 20,
  });

/** May be left out, or be emptied by an empty text. */
const details = {
  recipient: textField({ description: "Destinataire, si ce n'est pas l'acheteur", maxLength: 100 }),
  company: textField({ description: "Société", maxLength: 100 }),
  complement: textField({
    description: "Complément d'adresse : bâtiment, étage, digicode",
    maxLength: 255,
  }),
  phone,
};

const fields = {
  street: textField({ description: "Rue", required: REQUIRED, maxLength: 255 }),
  city: textField({ description: "Ville", required: REQUIRED, maxLength: 100 }),
  postalCode,
  // An empty type counts as missing.
  type: z
    .preprocess(
      (value) => (value === null || value === "" ? "shipping" : value),
      z.enum(ADDRESS_TYPES),
    )
    .meta({
      type: "string",
      enum: [...ADDRESS_TYPES],
      description: "Livraison (shipping) ou facturation (billing)",
    }),
  isDefault: z.boolean().meta({ description: "Adresse de livraison par défaut" }),
  isDefaultBilling: z.boolean().meta({ description: "Adresse de facturation par défaut" }),
  ...details,
};

/** The body of POST /api/addresses_front, and the form's. */
export const addressInput = z.object({
  ...fields,
  ...z.object(details).partial().shape,
  type: fields.type.default("shipping"),
  isDefault: fields.isDefault.default(false),
  isDefaultBilling: fields.isDefaultBilling.default(false),
});

/** The body of PUT /api/addresses_front/{id}: fields that are not sent stay unchanged. */
export const addressChange = z.object(fields).partial();

export type NewAddress = z.output<typeof addressInput>;
export type AddressChange = z.output<typeof addressChange>;
