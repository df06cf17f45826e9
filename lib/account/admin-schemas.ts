import { z } from "zod";
import { nameField, optionalPassword } from "@/lib/account/schemas";
import { TOKEN_TOO_SHORT } from "@/lib/account/texts";
import { emailField } from "@/lib/auth/schemas";
import { listFields, sortable, yesOrNo } from "@/lib/backoffice/list-query";
import { versionField } from "@/lib/backoffice/schemas";
import { queryChoice } from "@/lib/http/api/query";
import { ROLES, type Role } from "@/lib/roles";
import { EMAIL_MAX_LENGTH, isEmail } from "@/lib/text/email";
import { REQUIRED, WRONG_EMAIL } from "@/lib/text/texts";

/** The query of GET /api/users. */
export const userListQuery = z.object({
  ...listFields,
  role: queryChoice(["ROLE_USER", "ROLE_ADMIN"], { description: "Rôle" })
    .meta({ property: "roles" })
    .optional(),
  isVerified: yesOrNo("Adresse e-mail vérifiée"),
  isDeleted: yesOrNo("Compte désactivé"),
  ...sortable("id", "email", "name", "lastname", "createdAt"),
});

/** The query of GET /api/users-without-cart. */
export const userChoiceQuery = z.object({
  ...listFields,
  ...sortable("id", "email", "name", "lastname"),
});

const email = emailField({ required: REQUIRED })
  .superRefine((value, context) => {
    if (value !== "" && !isEmail(value)) context.addIssue({ code: "custom", message: WRONG_EMAIL });
  })
  .meta({ description: "Adresse e-mail", format: "email", maxLength: EMAIL_MAX_LENGTH });

/** The minimum length of a typed reset token: it must be no easier to guess than a mailed one. */
const RESET_TOKEN_MIN_LENGTH = 32;

/** A token that an administrator types, or the digest that was read. */
const token = ({ description, minLength = 1 }: { description: string; minLength?: number }) =>
  z
    .string()
    .trim()
    .max(1000)
    .refine((text) => text === "" || text.length >= minLength, TOKEN_TOO_SHORT)
    .nullish()
    .describe(
      `${description} : l'empreinte lue le laisse, un autre texte${minLength > 1 ? ` de ${minLength} caractères au moins` : ""} le remplace, vide le retire`,
    );

const fields = {
  email,
  name: nameField("Nom"),
  lastname: nameField("Prénom"),
  roles: z
    .array(z.enum(ROLES))
    .transform((roles): Role[] =>
      ROLES.filter((role) => role === "ROLE_USER" || roles.includes(role)),
    )
    .meta({
      type: "array",
      items: { type: "string", enum: [...ROLES] },
      description: "Rôles ; ROLE_USER en fait toujours partie",
    }),
  resetToken: token({
    description: "Jeton de réinitialisation du mot de passe",
    minLength: RESET_TOKEN_MIN_LENGTH,
  }),
  confirmationToken: token({ description: "Jeton de confirmation de l'adresse" }),
  isVerified: z.boolean().describe("Adresse e-mail vérifiée"),
  isDeleted: z.boolean().describe("Compte désactivé"),
};

/** The body of POST /api/admin/users. */
export const newUserInput = z.object({
  ...fields,
  roles: fields.roles.default(["ROLE_USER"]),
  isVerified: fields.isVerified.default(false),
  isDeleted: fields.isDeleted.default(false),
  password: optionalPassword
    .superRefine((value, context) => {
      if (!value) context.addIssue({ code: "custom", message: REQUIRED });
    })
    .transform((value) => value ?? "")
    .meta({ type: "string", description: "Mot de passe" }),
});

/** The body of PUT /api/admin/users/{id}: fields that are not sent stay unchanged. */
export const userChange = z
  .object(fields)
  .partial()
  .extend({
    password: optionalPassword.meta({
      description: "Nouveau mot de passe ; vide : il ne change pas",
    }),
    version: versionField,
  });

export type UserListQuery = z.output<typeof userListQuery>;
export type NewUserInput = z.output<typeof newUserInput>;
export type UserChange = z.output<typeof userChange>;
