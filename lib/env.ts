import { COMPANIONS, ENV_NAMES, type Env, type EnvName, SECRETS, schema } from "@/lib/env-schema";
import { OperatorError } from "@/lib/errors/operator-error";

type Source = Readonly<Record<string, string | undefined>>;

/**
 * The environment, checked and converted. An empty value counts as missing.
 *
 * @throws OperatorError naming every wrong variable and what it should be
 */
export function parseEnv(source: Source): Env {
  const given: Record<string, string> = {};
  for (const name of ENV_NAMES) {
    const value = source[name]?.trim();
    if (value) given[name] = value;
  }

  const problems = new Map<EnvName, string>();
  const report = (name: EnvName, fault: string) =>
    problems.set(name, `${name} ${fault} : il faut ${schema.shape[name].description}.`);
  const result = schema.safeParse(given);
  for (const issue of result.error?.issues ?? []) {
    const name = issue.path[0] as EnvName;
    report(name, SECRETS.has(name) ? "est incorrecte" : `est incorrecte (« ${given[name]} »)`);
  }
  for (const { when, needs } of COMPANIONS) {
    if (given[when] === undefined) continue;
    for (const name of needs)
      if (given[name] === undefined && !problems.has(name))
        report(name, `manque, puisque ${when} est donnée`);
  }
  const ownDatabase = given.DATABASE_URL !== undefined && given.SHOP_DEMO !== "1";
  if (given.NODE_ENV === "production" && ownDatabase)
    for (const name of ["AUTH_SECRET", "SITE_URL"] as const)
      if (given[name] === undefined)
        report(name, "manque, elle est obligatoire en production avec DATABASE_URL");
  if (given.AUTH_SECRET !== undefined && given.AUTH_SECRET_PREVIOUS === given.AUTH_SECRET)
    report("AUTH_SECRET_PREVIOUS", "est incorrecte");
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_PUBLISHABLE_KEY: publishableKey } = given;
  if (secretKey && publishableKey && isLiveKey(secretKey) !== /^pk_live_/.test(publishableKey)) {
    const kind = isLiveKey(secretKey) ? "une clé réelle" : "une clé d'essai";
    report("STRIPE_PUBLISHABLE_KEY", `est incorrecte, puisque STRIPE_SECRET_KEY est ${kind}`);
  }
  const isAmazons = given.S3_BUCKET !== undefined && given.S3_ENDPOINT === undefined;
  if (isAmazons && (given.S3_REGION ?? "auto") === "auto")
    report("S3_REGION", "manque, puisque S3_BUCKET est chez Amazon (sans S3_ENDPOINT)");

  if (!result.success || problems.size > 0) {
    const lines = [...problems.values()].map((line) => `  - ${line}`);
    throw new OperatorError(
      [
        "La configuration de la boutique est incorrecte :",
        ...lines,
        "Chaque variable est expliquée dans .env.example.",
      ].join("\n"),
    );
  }
  return result.data;
}

let current: Env | undefined;

/**
 * The environment of this process, read and checked at the first call and then kept: nothing is
 * read while modules load, so that `next build` needs no variable at all.
 */
export function env(): Env {
  current ??= parseEnv(process.env);
  return current;
}

/** Makes the next `env()` read the environment again: for commands and tests that change it. */
export function forgetEnv(): void {
  current = undefined;
}

/** Is this the demonstration: no database was given, the shop brings its own? */
export function isDemo(): boolean {
  return env().SHOP_DEMO;
}

/** Is this a key of Stripe with which real cards are charged? */
export const isLiveKey = (key: string | undefined): boolean => /^[sr]k_live_/.test(key ?? "");

/** Do buyers pay with real money? */
export const takesRealMoney = (): boolean => isLiveKey(env().STRIPE_SECRET_KEY);

/** The shop's public origin, without a slash at its end. */
export function siteUrl(): string {
  return env().SITE_URL ?? `http://localhost:${env().PORT}`;
}

/** The shop's e-mail address; by default the sender of its mails. */
export function contactMail(): string {
  const { CONTACT_MAIL, MAIL_FROM } = env();
  return CONTACT_MAIL ?? MAIL_FROM.replace(/^.*<(.+)>$/, "$1");
}

/** The key that signs sessions. The start commands generate one for the demonstration. */
export function authSecret(): string {
  const secret = env().AUTH_SECRET;
  if (!secret) {
    throw new OperatorError(
      "AUTH_SECRET manque. Lancez la boutique avec npm start ou npm run dev, ou donnez-la dans .env.",
    );
  }
  return secret;
}

/**
 * The secrets that verify sessions and open sealed texts: the current one first, then AUTH_SECRET_PREVIOUS
 * while a replacement is under way.
 */
export function authSecrets(): [current: string, ...previous: string[]] {
  const previous = env().AUTH_SECRET_PREVIOUS;
  return previous === undefined ? [authSecret()] : [authSecret(), previous];
}
