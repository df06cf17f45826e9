import { z } from "zod";
import { listPasswordProblems, NAME_MAX_LENGTH } from "@/lib/auth/rules";
import { REQUIRED, textField } from "@/lib/text-field";

const nameField = (description: string) =>
  textField({ description, required: REQUIRED, maxLength: NAME_MAX_LENGTH });

/**
 * The body of PUT /api/account, and the profile's form. What is not sent stays; so does the
 * password where it is empty.
 */
export const profileInput = z.object({
  nom: nameField("Nom").optional(),
  lastname: nameField("Prénom").optional(),
  password: z
    .string()
    .nullish()
    .superRefine((password, context) => {
      if (!password) return;
      for (const message of listPasswordProblems(password))
        context.addIssue({ code: "custom", message });
    })
    .meta({ description: "Nouveau mot de passe ; vide : il ne change pas" }),
});

/** `/api/account/delete/{mode}`: any other mode is an unknown address. */
export const deletionParams = z.object({
  mode: z.enum(["soft", "hard"]).meta({
    description: "soft : désactiver le compte ; hard : effacer toutes les données",
  }),
});
