import { z } from "zod";
import type { Account } from "@/lib/account/queries";

/** Shown instead of the secret, which only POST /api/2fa/activate returns. */
const SECRET_MASK = "********";

/** The answer of GET and PUT /api/account. */
export const accountAnswer = z.object({
  user: z.object({
    id: z.int().describe("Identifiant"),
    nom: z.string().describe("Nom"),
    lastname: z.string().describe("Prénom"),
    email: z.string().describe("Adresse e-mail"),
    roles: z.array(z.string()).describe("Rôles"),
    totpSecret: z
      .string()
      .nullable()
      .describe("Un masque si la double authentification est active, sinon null"),
  }),
  token: z
    .string()
    .optional()
    .describe("Nouveau jeton, après un changement de mot de passe : les autres ne valent plus"),
  message: z
    .string()
    .optional()
    .describe("Phrase à montrer, après l'envoi d'un lien à une nouvelle adresse e-mail"),
});

export function accountJson({
  account,
  token,
  message,
}: {
  account: Account;
  token?: string | undefined;
  message?: string | undefined;
}): z.input<typeof accountAnswer> {
  const { id, lastName, firstName, email, roles, isTwoFactorActive } = account;
  return {
    user: {
      id,
      nom: lastName,
      lastname: firstName,
      email,
      roles,
      totpSecret: isTwoFactorActive ? SECRET_MASK : null,
    },
    ...(token !== undefined && { token }),
    ...(message !== undefined && { message }),
  };
}
