import { z } from "zod";
import { personSchema } from "@/lib/backoffice/resource";
import { isoDateTime } from "@/lib/dates";
import { resource } from "@/lib/http/api/resource";
import type { UserRow } from "./admin-list";

/** A user as administrators see them. */
export const userResource = resource({
  name: "User",
  path: "/api/users",
  description: "Un utilisateur, pour les administrateurs",
  schema: z.object({
    ...personSchema.shape,
    roles: z.array(z.string()).describe("Rôles"),
    isVerified: z.boolean().describe("Adresse e-mail vérifiée"),
    isDeleted: z.boolean().describe("Compte désactivé"),
    resetToken: z
      .string()
      .nullable()
      .describe("Empreinte SHA-256 du jeton de réinitialisation du mot de passe"),
    confirmationToken: z
      .string()
      .nullable()
      .describe("Empreinte SHA-256 du jeton de confirmation de l'adresse"),
    isTwoFactorActive: z.boolean().describe("Double authentification active"),
    createdAt: z.string().describe("Date d'inscription, ISO 8601"),
    version: z.int().describe("Version, augmentée par chaque modification"),
  }),
  toJson: (user: UserRow) => ({
    id: user.id,
    email: user.email,
    name: user.lastName,
    lastname: user.firstName,
    roles: user.roles,
    isVerified: user.isVerified,
    isDeleted: user.isDeleted,
    resetToken: user.resetTokenHash,
    confirmationToken: user.confirmationTokenHash,
    isTwoFactorActive: user.isTwoFactorActive,
    createdAt: isoDateTime(user.createdAt),
    version: user.version,
  }),
});

/** A snapshot of a user for the history, without tokens and their digests. */
export function userSnapshot(user: UserRow): Record<string, unknown> & { version: number } {
  const { resetToken: _, confirmationToken: __, ...json } = userResource.toJson(user);
  return json;
}
