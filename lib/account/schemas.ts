import { z } from "zod";
import { listPasswordProblems, NAME_MAX_LENGTH } from "@/lib/auth/rules";
import { emailField } from "@/lib/auth/schemas";
import { textField } from "@/lib/text/text-field";
import { REQUIRED } from "@/lib/text/texts";

export const nameField = (description: string) =>
  textField({ description, required: REQUIRED, maxLength: NAME_MAX_LENGTH });

/** A new password; null or empty for none. */
export const optionalPassword = z
  .string()
  .nullish()
  .superRefine((password, context) => {
    if (!password) return;
    for (const message of listPasswordProblems(password))
      context.addIssue({ code: "custom", message });
  });

/**
 * The body of PUT /api/account, and the profile's form. Fields that are not sent stay unchanged; so do an
 * empty e-mail address and an empty password.
 */
export const profileInput = z.object({
  nom: nameField("Nom").optional(),
  lastname: nameField("Prénom").optional(),
  email: emailField()
    .meta({
      description:
        "Adresse e-mail ; une autre que l'actuelle la remplace une fois que le lien qui lui est envoyé est ouvert",
    })
    .optional(),
  password: optionalPassword.meta({
    description: "Nouveau mot de passe ; vide : il ne change pas",
  }),
});

/** The word to type before an account is closed or erased. */
const DELETION_WORD = "SUPPRIMER";

/** The dialog that asks for the word, which stays in the browser. */
export const deletionForm = z.object({
  confirmation: z.string().refine((text) => text === DELETION_WORD, {
    message: "Confirmation incorrecte. Votre compte n'a pas été supprimé.",
  }),
});

/** `/api/account/delete/{mode}`: any other mode is an unknown URL. */
export const deletionParams = z.object({
  mode: z.enum(["soft", "hard"]).meta({
    description: "soft : désactiver le compte ; hard : effacer toutes les données",
  }),
});
