import { z } from "zod";
import { listPasswordProblems, NAME_MAX_LENGTH, NAME_MIN_LENGTH } from "@/lib/auth/rules";
import {
  ALL_FIELDS_REQUIRED,
  EMAIL_REQUIRED,
  FIRST_NAME_TOO_SHORT,
  LAST_NAME_TOO_SHORT,
  NEW_PASSWORD_REQUIRED,
  PASSWORDS_DIFFER,
  WRONG_RETURN_PATH,
} from "@/lib/auth/texts";
import { RETURN_PATH_MAX_LENGTH, safeReturnPath } from "@/lib/guards";
import { canonicalEmail, EMAIL_MAX_LENGTH, isEmail } from "@/lib/text/email";
import { singleLine, textField } from "@/lib/text/text-field";
import { REQUIRED, WRONG_EMAIL } from "@/lib/text/texts";
import { visibleLength } from "@/lib/text/visible-text";

/** The maximum length of any password or token in a request; new passwords have their own (rules.ts). */
const SECRET_MAX_LENGTH = 1000;

const asTyped = (text: string) => text;

/** A password, exactly as typed. */
function passwordField({ description, required }: { description: string; required?: string }) {
  return textField({
    description,
    required,
    maxLength: SECRET_MAX_LENGTH,
    clean: asTyped,
    allowsBidiControls: true,
  });
}

/** An e-mail address, in its canonical form. */
export function emailField(sentences: { required?: string; wrongType?: string } = {}) {
  return textField({
    ...sentences,
    description: "Adresse e-mail",
    maxLength: EMAIL_MAX_LENGTH,
    clean: (text) => canonicalEmail(singleLine(text)),
    // `isEmail` refuses direction controls with its own sentence.
    allowsBidiControls: true,
  });
}

/** The body of POST /api/login_check, under LexikJWT's names. */
export const loginInput = z.object({
  username: emailField({ required: REQUIRED }),
  password: passwordField({ description: "Mot de passe", required: REQUIRED }),
});

/** The body of POST /api/2fa/verify. */
export const codeInput = z.object({
  code: textField({
    description: "Code à 6 chiffres de l'application, ou à la connexion un code de récupération",
    required: REQUIRED,
    maxLength: 100,
    allowsBidiControls: true,
  }),
});

/** The body of POST /api/reauthenticate. */
export const reauthenticationInput = z.object({
  password: passwordField({ description: "Mot de passe, sans double authentification" }).optional(),
  code: textField({
    description: "Avec la double authentification : code de l'application ou de récupération",
    maxLength: 100,
    allowsBidiControls: true,
  }).optional(),
});

export type ReauthenticationInput = z.output<typeof reauthenticationInput>;

/** The dialog that asks for the password. */
export const passwordInput = z.object({
  password: passwordField({ description: "Mot de passe", required: REQUIRED }),
});

const registrationFields = {
  nom: textField({ description: "Nom", maxLength: NAME_MAX_LENGTH }),
  lastname: textField({ description: "Prénom", maxLength: NAME_MAX_LENGTH }),
  email: emailField(),
  password: passwordField({ description: "Mot de passe" }),
};

type Registration = Record<keyof typeof registrationFields, string>;

/** The problems of a registration, in the order of their messages; "" is the whole form. */
function listRegistrationProblems({ nom, lastname, email, password }: Registration) {
  const problems: [field: string, message: string][] = [];
  if ([nom, lastname, email, password].includes("")) return [["", ALL_FIELDS_REQUIRED] as const];
  if (visibleLength(nom) < NAME_MIN_LENGTH) problems.push(["nom", LAST_NAME_TOO_SHORT]);
  if (visibleLength(lastname) < NAME_MIN_LENGTH) problems.push(["lastname", FIRST_NAME_TOO_SHORT]);
  if (!isEmail(email)) problems.push(["email", WRONG_EMAIL]);
  for (const message of listPasswordProblems(password)) problems.push(["password", message]);
  return problems;
}

function report(
  context: z.core.$RefinementCtx,
  problems: readonly (readonly [field: string, message: string])[],
): void {
  for (const [field, message] of problems)
    context.addIssue({ code: "custom", path: field === "" ? [] : [field], message });
}

const returnPathMeta = {
  description: "Page de la boutique à retrouver après la connexion, comme /product/7?category=3",
  maxLength: RETURN_PATH_MAX_LENGTH,
};

const returnPathField = textField({ ...returnPathMeta, clean: asTyped })
  .refine((path) => path === "" || safeReturnPath(path) !== null, WRONG_RETURN_PATH)
  .meta(returnPathMeta);

/** The body of POST /api/register. */
export const registrationInput = z
  .object({ ...registrationFields, retour: returnPathField.optional() })
  .superRefine((input, context) => report(context, listRegistrationProblems(input)));

/** The registration form: the request's body, and the password once more. */
export const registrationForm = z
  .object({
    ...registrationFields,
    confirmation: passwordField({ description: "Confirmer le mot de passe" }),
  })
  .superRefine((input, context) => {
    const isIncomplete = Object.values(input).includes("");
    if (isIncomplete) return report(context, [["", ALL_FIELDS_REQUIRED]]);
    report(context, listRegistrationProblems(input));
    if (input.password !== input.confirmation)
      report(context, [["confirmation", PASSWORDS_DIFFER]]);
  });

/** The body of POST /api/reset-password. */
export const resetRequestInput = z.object({
  email: emailField({ wrongType: EMAIL_REQUIRED })
    .refine(isEmail, EMAIL_REQUIRED)
    .meta({ description: "Adresse e-mail", format: "email", maxLength: EMAIL_MAX_LENGTH }),
});

/** A new password; reports every criterion that it misses. */
const newPassword = passwordField({
  description: "Nouveau mot de passe : 8 caractères au moins, majuscule, minuscule, chiffre, signe",
}).superRefine((password, context) => {
  const problems = password === "" ? [NEW_PASSWORD_REQUIRED] : listPasswordProblems(password);
  report(
    context,
    problems.map((message) => ["", message]),
  );
});

/** The body of POST /api/reset-password/confirm. */
export const resetInput = z.object({
  token: textField({
    description: "Le jeton du lien reçu par e-mail",
    required: REQUIRED,
    maxLength: SECRET_MAX_LENGTH,
    clean: asTyped,
    allowsBidiControls: true,
  }),
  password: newPassword,
});

/** The form that asks for a new password. */
export const newPasswordForm = z
  .object({
    password: newPassword,
    confirmation: passwordField({ description: "Confirmer le mot de passe" }),
  })
  .superRefine(({ password, confirmation }, context) => {
    if (password !== confirmation) report(context, [["confirmation", PASSWORDS_DIFFER]]);
  });

/** A mailed token in a path. Any text is accepted: administrators can type tokens. */
export const tokenParams = z.object({
  token: z.string().meta({ description: "Le jeton du lien reçu par e-mail" }),
});
