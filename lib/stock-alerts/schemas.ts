import { z } from "zod";
import { emailField } from "@/lib/auth/schemas";
import { relationField } from "@/lib/http/api/ids";
import { isEmail } from "@/lib/text/email";
import { textField } from "@/lib/text/text-field";
import { REQUIRED, WRONG_EMAIL } from "@/lib/text/texts";

/** The body of POST /api/stock_alerts. */
export const stockAlertInput = z.object({
  productId: relationField({ collection: "products", description: "Produit épuisé" }),
  email: emailField({ required: REQUIRED })
    .refine((email) => email === "" || isEmail(email), WRONG_EMAIL)
    .meta({ description: "Adresse à prévenir", format: "email" }),
});

/** The body of the calls that a mailed link makes. */
export const alertLinkInput = z.object({
  token: textField({
    description: "Le jeton du lien reçu par e-mail",
    required: REQUIRED,
    maxLength: 100,
    allowsBidiControls: true,
  }),
});

/** The answer of POST /api/stock_alerts/confirm. */
export const confirmationAnswer = z.object({
  valid: z.boolean().describe("La demande est-elle confirmée ?"),
  message: z.string().describe("Phrase à montrer"),
  product: z
    .object({ id: z.int().describe("Identifiant"), name: z.string().describe("Nom") })
    .nullable()
    .describe("Le produit attendu ; null pour un lien qui n'est plus valable"),
});
