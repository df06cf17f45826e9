import { z } from "zod";

/** What has to be typed before an account is closed or erased. */
const DELETION_WORD = "SUPPRIMER";

/** The window that asks for it; the word stays in the browser. */
export const deletionForm = z.object({
  confirmation: z.string().refine((text) => text.trim() === DELETION_WORD, {
    message: "Confirmation incorrecte. Votre compte n'a pas été supprimé.",
  }),
});
