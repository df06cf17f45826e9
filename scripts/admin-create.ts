import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { parseArgs } from "node:util";
import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import { closeDatabase, db } from "@/db";
import { users } from "@/db/schema/auth";
import { hashPassword } from "@/lib/auth/password";
import { listPasswordProblems } from "@/lib/auth/rules";
import { OperatorError } from "@/lib/operator-error";
import { runCommand, say } from "@/scripts/command";
import { migrateWhenUp, withDatabase } from "@/scripts/database";

// npm run admin:create -- --email … [--password …] [--prenom …] [--nom …]
// Creates an administrator, or makes one of an existing user (whose password then stays, unless
// one is given). Without --password it is asked for, and not shown while it is typed.

const USAGE =
  "Usage : npm run admin:create -- --email adresse@exemple.fr [--password …] [--prenom …] [--nom …]";

interface Request {
  email: string;
  password: string | undefined;
  firstName: string;
  lastName: string;
}

function readArguments(): Request {
  let values: { email?: string; password?: string; prenom: string; nom: string };
  try {
    ({ values } = parseArgs({
      options: {
        email: { type: "string" },
        password: { type: "string" },
        prenom: { type: "string", default: "Admin" },
        nom: { type: "string", default: "Boutique" },
      },
    }));
  } catch {
    throw new OperatorError(`Argument inconnu. ${USAGE}`);
  }
  const email = z.email().max(254).safeParse(values.email?.trim());
  if (!email.success) {
    throw new OperatorError(
      values.email === undefined
        ? `Il faut une adresse e-mail. ${USAGE}`
        : `L'adresse e-mail « ${values.email} » n'est pas valable.`,
    );
  }
  const [firstName, lastName] = [values.prenom.trim(), values.nom.trim()];
  if (!firstName || !lastName)
    throw new OperatorError("Le prénom et le nom ne peuvent être vides.");
  return { email: email.data, password: values.password, firstName, lastName };
}

/** Asks on the terminal without showing what is typed; reads a line where input comes from a pipe. */
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

async function promote({
  id,
  roles,
  password,
}: {
  id: number;
  roles: readonly string[];
  password: string | undefined;
}): Promise<void> {
  await db
    .update(users)
    .set({
      roles: [...new Set([...roles, "ROLE_USER", "ROLE_ADMIN"])],
      isVerified: true,
      isDeleted: false,
      deletedAt: null,
      // Tokens carry the roles they were issued with: the old ones end here.
      sessionVersion: sql`${users.sessionVersion} + 1`,
      version: sql`${users.version} + 1`,
      updatedAt: new Date(),
      ...(password === undefined ? {} : { passwordHash: await hashPassword(password) }),
    })
    .where(eq(users.id, id));
}

async function createAdmin({
  email,
  password,
  firstName,
  lastName,
}: Request & { password: string }): Promise<void> {
  await db.insert(users).values({
    email,
    firstName,
    lastName,
    passwordHash: await hashPassword(password),
    roles: ["ROLE_USER", "ROLE_ADMIN"],
    isVerified: true,
  });
}

void runCommand(async () => {
  const request = readArguments();
  if (request.password !== undefined) checkPassword(request.password);
  await withDatabase("npm run admin:create", async ({ url }) => {
    await migrateWhenUp(url);
    try {
      const [known] = await db
        .select({ id: users.id, roles: users.roles })
        .from(users)
        .where(sql`lower(${users.email}) = lower(${request.email})`);
      if (known) {
        await promote({ ...known, password: request.password });
        say(`${request.email} est maintenant administrateur.`);
        return;
      }
      const password = request.password ?? (await choosePassword());
      checkPassword(password);
      await createAdmin({ ...request, password });
      say(`L'administrateur ${request.email} est créé.`);
    } finally {
      await closeDatabase();
    }
  });
});
