import { z } from "zod";
import type { OpenedSession, PendingSession } from "@/lib/auth/login";

const session = z.object({
  token: z.string().describe("Le jeton de la session, à envoyer en Bearer"),
  userId: z.int().describe("Identifiant"),
  userName: z.string().describe("Nom"),
  userLastName: z.string().describe("Prénom"),
  roles: z.array(z.string()).describe("Rôles"),
});

const pending = z.object({
  "2fa_required": z.literal(true).describe("Le code 2FA est demandé"),
  tempToken: z.string().describe("Jeton à envoyer en Bearer à /api/2fa/verify, 5 minutes"),
});

/** The answer of POST /api/login_check. */
export const loginAnswer = z.union([session, pending]);

/** The answer of POST /api/2fa/verify; only a login's answer has the session. */
export const codeAnswer = session.partial().extend({
  valid: z.boolean().describe("Le code est-il bon ?"),
});

/** The answer of POST /api/reauthenticate. */
export const reauthenticationAnswer = z.object({
  token: z
    .string()
    .describe("Nouveau jeton de la session, qui finit quand elle ; les autres jetons restent"),
});

/** The answer of POST /api/2fa/activate. */
export const activationAnswer = z.object({
  qrCodeUrl: z.string().describe("Image PNG du QR code, en adresse data:"),
  secret: z.string().describe("Le secret, en base32, pour qui ne peut pas scanner"),
  recoveryCodes: z
    .array(z.string())
    .describe("Dix codes de récupération, montrés cette seule fois, valables une fois activé"),
});

/** A session under the API's names, where `userName` is the family name. */
export function sessionJson({ token, user }: OpenedSession): z.input<typeof session> {
  return {
    token,
    userId: user.id,
    userName: user.lastName,
    userLastName: user.firstName,
    roles: user.roles,
  };
}

export function loginJson(login: OpenedSession | PendingSession): z.input<typeof loginAnswer> {
  return "token" in login
    ? sessionJson(login)
    : { "2fa_required": true, tempToken: login.tempToken };
}
