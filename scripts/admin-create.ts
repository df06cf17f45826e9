import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { and, eq } from "drizzle-orm";
import { db } from "@/db";
import { nextVersion } from "@/db/next-version";
import { recoveryCodes, users } from "@/db/schema/auth";
import { hashPassword } from "@/lib/auth/password";
import { hasEmail } from "@/lib/auth/queries";
import { listPasswordProblems } from "@/lib/auth/rules";
import { OperatorError } from "@/lib/errors/operator-error";
import { canonicalEmail, isEmail } from "@/lib/text/email";
import { parseOptions, print, runCommand } from "@/scripts/command";
import { withDatabase } from "@/scripts/database";

// npm run admin:create -- --email … [--password …] [--prenom …] [--nom …]
// Creates an administrator, or promotes an existing user, who keeps their password unless one is given.
// A new user needs a password, and so does an account that was closed or never confirmed: anybody can
// have registered it. Without --password, prompts for it without echo.
//
// npm run admin:create -- --email … --reset-2fa
// Only deactivates an existing user's two-factor, for somebody who has lost the app and the codes.

const USAGE =
  "Usage : npm run admin:create -- --email adresse@exemple.fr [--password …] [--prenom …] [--nom …] | --reset-2fa";

function readArguments() {
  const options = {
    email: { type: "string" },
    password: { type: "string" },
    prenom: { type: "string", default: "Admin" },
    nom: { type: "string", default: "Boutique" },
    "reset-2fa": { type: "boolean", default: false },
  } as const;
  const values = parseOptions({ options, usage: USAGE });
  if (values.email === undefined) throw new OperatorError(`Il faut une adresse e-mail. ${USAGE}`);
  const email = canonicalEmail(values.email.trim());
  if (!isEmail(email))
    throw new OperatorError(`L'adresse e-mail « ${values.email} » n'est pas valable.`);
  const [firstName, lastName] = [values.prenom.trim(), values.nom.trim()];
  if (!firstName || !lastName)
    throw new OperatorError("Le prénom et le nom ne peuvent être vides.");
  const { password, "reset-2fa": resetsTwoFactor } = values;
  if (resetsTwoFactor && password !== undefined)
    throw new OperatorError(`--reset-2fa ne change pas de mot de passe. ${USAGE}`);
  if (password !== undefined) checkPassword(password);
  return { email, password, firstName, lastName, resetsTwoFactor };
}

/** Prompts on the terminal without echo; reads a line where stdin is a pipe. */
async function askPassword(question: string): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const { stdin, stderr } = process;
  const lines = createInterface({ input: stdin, output: silent, terminal: stdin.isTTY === true });
  if (stdin.isTTY) stderr.write(question);
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once("line", resolve);
      lines.once("close", () => reject(new OperatorError("Aucun mot de passe n'a été donné.")));
      lines.once("SIGINT", () => reject(new OperatorError("Abandonné.")));
    });
  } finally {
    lines.close();
    if (stdin.isTTY) stderr.write("\n");
  }
}

function checkPassword(password: string): string {
  const problems = listPasswordProblems(password);
  if (problems.length > 0) throw new OperatorError(problems.join("\n"));
  return password;
}

async function choosePassword(): Promise<string> {
  const password = await askPassword("Mot de passe : ");
  if (process.stdin.isTTY && (await askPassword("Encore une fois : ")) !== password)
    throw new OperatorError("Les mots de passe ne correspondent pas");
  return checkPassword(password);
}

type User = Pick<typeof users.$inferSelect, "id" | "roles" | "isVerified" | "isDeleted">;

/** Why nobody is known to own the account; null if it is in use. */
function ownerlessState({ isVerified, isDeleted }: User): string | null {
  if (isDeleted) return "Ce compte était désactivé";
  return isVerified ? null : "Ce compte n'avait jamais été confirmé par e-mail";
}

/** Mailed links that somebody else may have asked for. */
const NO_LINKS = {
  confirmationTokenHash: null,
  confirmationTokenExpiresAt: null,
  confirmedTokenHash: null,
};

/** @param password null to keep the user's own */
async function promote(user: User, password: string | null): Promise<void> {
  const { id, roles, isVerified, isDeleted } = user;
  const isOwnerless = ownerlessState(user) !== null;
  // Loaded only for this: react-email takes seconds to load.
  const { newPassword, nextSessionVersion } = await import("@/lib/auth/mutations");
  const { sendSecurityNotice } = await import("@/lib/auth/notices");
  const { NO_TWO_FACTOR } = await import("@/lib/auth/two-factor");
  const passwordHash = password === null ? null : await hashPassword(password);
  await db.transaction(async (tx) => {
    const [promoted] = await tx
      .update(users)
      .set({
        roles: [...new Set([...roles, "ROLE_USER", "ROLE_ADMIN"])],
        isVerified: true,
        isDeleted: false,
        deletedAt: null,
        // Tokens carry the roles they were issued with: revokes the old ones.
        sessionVersion: nextSessionVersion,
        ...nextVersion(users),
        ...(passwordHash !== null && newPassword(passwordHash)),
        ...(isOwnerless && { ...NO_TWO_FACTOR, ...NO_LINKS }),
      })
      // The account's state was the reason to ask for a password, or not to.
      .where(
        and(eq(users.id, id), eq(users.isVerified, isVerified), eq(users.isDeleted, isDeleted)),
      )
      .returning({ email: users.email });
    if (!promoted) throw new OperatorError("Le compte vient de changer. Relancez la commande.");
    if (isOwnerless) await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, id));
    if (passwordHash !== null)
      await sendSecurityNotice(tx, {
        userId: id,
        email: promoted.email,
        event: "password-changed",
      });
  });
}

void runCommand(async () => {
  const { email, firstName, lastName, resetsTwoFactor, password: given } = readArguments();
  await withDatabase({ command: "npm run admin:create" }, async () => {
    const { id, roles, isVerified, isDeleted } = users;
    const [user] = await db
      .select({ id, roles, isVerified, isDeleted })
      .from(users)
      .where(hasEmail(email));
    if (resetsTwoFactor) {
      if (!user) throw new OperatorError(`Aucun compte n'a l'adresse ${email}.`);
      const { resetTwoFactor } = await import("@/lib/auth/two-factor");
      const wasActive = await db.transaction((tx) => resetTwoFactor(tx, { userId: user.id }));
      const outcome = wasActive ? "est désactivée" : "n'était pas active";
      print(`La double authentification de ${email} ${outcome}.`);
      return;
    }
    const state = user ? ownerlessState(user) : null;
    if (state !== null)
      print(
        `${state} : il lui faut un nouveau mot de passe, et sa double authentification est retirée.`,
      );
    if (user) {
      await promote(user, given ?? (state === null ? null : await choosePassword()));
      print(`${email} est maintenant administrateur.`);
      return;
    }
    const passwordHash = await hashPassword(given ?? (await choosePassword()));
    await db.insert(users).values({
      email,
      firstName,
      lastName,
      passwordHash,
      roles: ["ROLE_USER", "ROLE_ADMIN"],
      isVerified: true,
    });
    print(`L'administrateur ${email} est créé.`);
  });
});
