import { z } from "zod";
import {
  CONTACT_LIMITS,
  type ContactField,
  cleanContactField,
  contactProblem,
} from "@/lib/contact/rules";

function contactField(field: ContactField, description: string) {
  return z
    .string()
    .overwrite((value) => cleanContactField(field, value))
    .superRefine((value, context) => {
      const message = contactProblem(field, value);
      if (message !== null) context.addIssue({ code: "custom", message });
    })
    .meta({ description, minLength: 1, maxLength: CONTACT_LIMITS[field] });
}

/** The body of POST /api/contact. */
export const contactInput = z.object({
  nom: contactField("nom", "Nom"),
  email: contactField("email", "Adresse e-mail pour la réponse").meta({ format: "email" }),
  message: contactField("message", "Message"),
});
