import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { parseArgs } from "node:util";
import { and, eq, sql } from "drizzle-orm";
import { closeDatabase, db } from "@/db";
import { recoveryCodes, users } from "@/db/schema/auth";
import { hashPassword } from "@/lib/auth/password";
import { hasEmail } from "@/lib/auth/queries";
import { listPasswordProblems } from "@/lib/auth/rules";
import { canonicalEmail, isEmail } from "@/lib/email";
import { OperatorError } from "@/lib/operator-error";
import { print, runCommand } from "@/scripts/command";
import { withDatabase } from "@/scripts/database";

// npm run admin:create -- --email … [--password …] [--prenom …] [--nom …]
// Creates an administrator, or promotes an existing user, who keeps their password unless one is
// given. Anybody can have registered an address that was never confirmed, and a closed account may be
// anybody's: there a new password is needed, as for a new user. Without --password, prompts for it
// without echo.
//
// npm run admin:create -- --email … --reset-2fa
// Only deactivates an existing user's two-factor, for somebody who has lost the app and the codes.

const USAGE =
  "Usage : npm run admin:create -- --email adresse@exemple.fr [--password …] [--prenom …] [--nom …] | --reset-2fa";

function parseOptions() {
  try {
    return parseArgs({
      options: {
        email: { type: "string" },
        password: { type: "string" },
        prenom: { type: "string", default: "Admin" },
        nom: { type: "string", default: "Boutique" },
        "reset-2fa": { type: "boolean", default: false },
      },
    }).values;
  } catch {
    throw new OperatorError(`Argument inconnu. ${USAGE}`);
  }
}

function readArguments() {
  const { password, "reset-2fa": resetsTwoFactor, ...values } = parseOptions();
  if (values.email === undefined) throw new OperatorError(`Il faut une adresse e-mail. ${USAGE}`);
  const email = canonicalEmail(values.email.trim());
  if (!isEmail(email))
    throw new OperatorError(`L'adresse e-mail « ${values.email} » n'est pas valable.`);
  const [firstName, lastName] = [values.prenom.trim(), values.nom.trim()];
  if (!firstName || !lastName)
    throw new OperatorError("Le prénom et le nom ne peuvent être vides.");
  if (resetsTwoFactor && password !== undefined)
    throw new OperatorError(`--reset-2fa ne change pas de mot de passe. ${USAGE}`);
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

async function choosePassword(): Promise<string> {
  const password = await askPassword("Mot de passe : ");
  if (process.stdin.isTTY && (await askPassword("Encore une fois : ")) !== password) {
    throw new OperatorError("Les mots de passe ne correspondent pas");
  }
  return password;
}

function checkPassword(password: string): void {
  const problems = listPasswordProblems(password);
  if (problems.length > 0) throw new OperatorError(problems.join("\n"));
}

type User = Pick<typeof users.$inferSelect, "id" | "roles" | "isVerified" | "isDeleted">;

/** What the account was found to be, where nobody is known to be its owner; null for one in use. */
function ownerlessState({ isVerified, isDeleted }: User): string | null {
  if (isDeleted) return "Ce compte était désactivé";
  return isVerified ? null : "Ce compte n'avait jamais été confirmé par e-mail";
}

/** The columns that end whatever somebody else may have set up: two-factor and mailed links. */
const ANEW = {
  totpSecret: null,
  totpActiveSince: null,
  totpLastStep: null,
  confirmationTokenHash: null,
  confirmationTokenExpiresAt: null,
  pendingEmail: null,
  confirmedTokenHash: null,
};

async function promote({
  user: { id, roles, isVerified, isDeleted },
  isOwnerless,
  password,
}: {
  user: User;
  isOwnerless: boolean;
  password: string | undefined;
}): Promise<void> {
  const change = password === undefined ? undefined : await passwordChange(password);
  await db.transaction(async (tx) => {
    const [user] = await tx
      .update(users)
      .set({
        roles: [...new Set([...roles, "ROLE_USER", "ROLE_ADMIN"])],
        isVerified: true,
        isDeleted: false,
        deletedAt: null,
        // Tokens carry the roles they were issued with: revokes the old ones.
        sessionVersion: sql`${users.sessionVersion} + 1`,
        version: sql`${users.version} + 1`,
        updatedAt: new Date(),
        ...change?.columns,
        ...(isOwnerless && ANEW),
      })
      // As it was when the password was asked for.
      .where(
        and(eq(users.id, id), eq(users.isVerified, isVerified), eq(users.isDeleted, isDeleted)),
      )
      .returning({ email: users.email });
    if (!user) throw new OperatorError("Le compte vient de changer. Relancez la commande.");
    if (isOwnerless) await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, id));
    await change?.notify(tx, { userId: id, email: user.email, event: "password-changed" });
  });
}

/** Loaded only where a password is given: react-email takes seconds to load. */
async function passwordChange(password: string) {
  const { newPassword } = await import("@/lib/auth/mutations");
  const { sendSecurityNotice } = await import("@/lib/auth/notices");
  return { columns: newPassword(await hashPassword(password)), notify: sendSecurityNotice };
}

/** Loaded only for this, as react-email above. @returns whether it was active */
async function resetTwoFactorOf({ id }: { id: number }): Promise<boolean> {
  const { resetTwoFactor } = await import("@/lib/auth/two-factor");
  return db.transaction((tx) => resetTwoFactor(tx, { userId: id }));
}

void runCommand(async () => {
  const request = readArguments();
  if (request.password !== undefined) checkPassword(request.password);
  await withDatabase({ command: "npm run admin:create" }, async () => {
    try {
      const [existing] = await db
        .select({
          id: users.id,
          roles: users.roles,
          isVerified: users.isVerified,
          isDeleted: users.isDeleted,
        })
        .from(users)
        .where(hasEmail(request.email));
      if (request.resetsTwoFactor) {
        if (!existing) throw new OperatorError(`Aucun compte n'a l'adresse ${request.email}.`);
        const wasActive = await resetTwoFactorOf(existing);
        print(
          wasActive
            ? `La double authentification de ${request.email} est désactivée.`
            : `La double authentification de ${request.email} n'était pas active.`,
        );
        return;
      }
      const state = existing ? ownerlessState(existing) : null;
      if (state !== null)
        print(
          `${state} : il lui faut un nouveau mot de passe, et sa double authentification est retirée.`,
        );
      const { email, firstName, lastName } = request;
      if (existing && state === null) {
        await promote({ user: existing, isOwnerless: false, password: request.password });
        print(`${email} est maintenant administrateur.`);
        return;
      }
      const password = request.password ?? (await choosePassword());
      checkPassword(password);
      if (existing) {
        await promote({ user: existing, isOwnerless: true, password });
        print(`${email} est maintenant administrateur.`);
        return;
      }
      const passwordHash = await hashPassword(password);
      const roles = ["ROLE_USER", "ROLE_ADMIN"];
      await db
        .insert(users)
        .values({ email, firstName, lastName, passwordHash, roles, isVerified: true });
      print(`L'administrateur ${email} est créé.`);
    } finally {
      await closeDatabase();
    }
  });
});
