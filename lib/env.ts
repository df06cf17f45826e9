import { z } from "zod";
import { OperatorError } from "@/lib/operator-error";

/** A whole number in plain digits: `Number()` alone would take "0x10", "1e3" and " 7 ", too. */
const wholeNumber = ({ min, max }: { min: number; max: number }) =>
  z
    .string()
    .regex(/^\d{1,10}$/)
    .transform(Number)
    .pipe(z.number().min(min).max(max));

const httpUrl = () => z.url({ protocol: /^https?$/ });

/** An origin, without path, user or query: "https://boutique.exemple.fr", with or without a slash. */
const origin = () =>
  httpUrl()
    .refine((value) => URL.canParse(value) && new URL(value).href === `${new URL(value).origin}/`)
    // A browser sends an origin, never a pattern.
    .refine((value) => !value.includes("*"))
    .transform((value) => new URL(value).origin);

const email = () => z.email();

/** "Boutique <bonjour@exemple.fr>" or the bare address. */
const sender = () =>
  z.string().regex(/^(?:[^<>\r\n]+ )?<[^\s@<>]+@[^\s@<>]+>$|^[^\s@<>]+@[^\s@<>]+$/);

const expects = {
  whole: (min: number, max: number) => `un nombre entier de ${min} à ${max}`,
  webAddress: (example: string) => `une adresse http(s) comme ${example}`,
};

/**
 * Every variable that the shop reads. The description completes "il faut …" where a value is
 * refused. `.env.example` explains each of them; a test keeps the two in step.
 */
const schema = z.object({
  NODE_ENV: z
    .enum(["development", "production", "test"])
    .default("development")
    .describe("development, production ou test"),
  /** Set by `npm start` itself when it runs the embedded database; see `isDemo`. */
  SHOP_DEMO: z
    .enum(["0", "1"])
    .default("0")
    .transform((value) => value === "1")
    .describe("0 ou 1"),

  DATABASE_URL: z
    .url({ protocol: /^postgres(?:ql)?$/ })
    .optional()
    .describe("une adresse comme postgresql://utilisateur:motdepasse@serveur:5432/boutique"),
  DATABASE_REPLICA_URL: z
    .url({ protocol: /^postgres(?:ql)?$/ })
    .optional()
    .describe("une adresse comme postgresql://utilisateur:motdepasse@replique:5432/boutique"),
  DATABASE_POOL_MAX: wholeNumber({ min: 1, max: 1000 })
    .default(10)
    .describe(expects.whole(1, 1000)),
  DATABASE_PREPARE: z
    .enum(["0", "1"])
    .default("1")
    .transform((value) => value === "1")
    .describe("0 ou 1"),
  DATABASE_TIMEOUT: wholeNumber({ min: 1, max: 3600 }).default(10).describe(expects.whole(1, 3600)),

  AUTH_SECRET: z
    .string()
    .min(16)
    .optional()
    .describe("au moins 16 caractères tirés au hasard, par exemple avec : openssl rand -base64 48"),
  AUTH_SECRET_PREVIOUS: z
    .string()
    .min(16)
    .optional()
    .describe("l'ancienne AUTH_SECRET, d'au moins 16 caractères, différente de la nouvelle"),
  CRON_SECRET: z
    .string()
    .min(16)
    .optional()
    .describe("au moins 16 caractères tirés au hasard, par exemple avec : openssl rand -hex 24"),

  PORT: wholeNumber({ min: 1, max: 65535 }).default(3000).describe(expects.whole(1, 65535)),
  LISTEN_ADDRESS: z
    .union([z.ipv4(), z.ipv6(), z.literal("localhost")])
    .optional()
    .describe("une adresse IP de cette machine, comme 127.0.0.1"),
  SITE_URL: origin()
    .optional()
    .describe("l'adresse publique de la boutique, sans chemin, comme https://boutique.exemple.fr"),
  CORS_ORIGINS: z
    .string()
    .transform((list) => list.split(/[\s,]+/))
    .pipe(z.array(origin()))
    .default([])
    .describe("des adresses de sites, sans chemin, séparées par des virgules"),
  TRUST_PROXY: wholeNumber({ min: 0, max: 10 }).default(0).describe(expects.whole(0, 10)),
  DRAIN_DELAY: wholeNumber({ min: 0, max: 300 }).default(0).describe(expects.whole(0, 300)),
  RATE_LIMIT_SCALE: z
    .string()
    .regex(/^\d{1,7}(?:\.\d{1,4})?$/)
    .transform(Number)
    .pipe(z.number().positive())
    .default(1)
    .describe("un nombre plus grand que 0, comme 1 ou 2.5"),
  LOG_LEVEL: z
    .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"])
    .default("info")
    .describe("fatal, error, warn, info, debug, trace ou silent"),

  RESEND_API_KEY: z.string().regex(/^\S+$/).optional().describe("la clé d'API de Resend (re_…)"),
  RESEND_BASE_URL: httpUrl()
    .default("https://api.resend.com")
    .describe(expects.webAddress("https://api.resend.com")),
  MAIL_FROM: sender()
    .default("Mini Ecommerce <contact@mini-ecommerce.test>")
    .describe("une adresse comme Mini Ecommerce <boutique@exemple.fr>"),
  CONTACT_MAIL: email().optional().describe("une adresse e-mail comme contact@exemple.fr"),
  MAIL_DIR: z.string().default(".data/mails").describe("un dossier"),

  UPLOADS_DIR: z.string().default(".data/uploads").describe("un dossier"),
  DOWNLOADS_DIR: z.string().default(".data/downloads").describe("un dossier"),
  S3_ENDPOINT: httpUrl().optional().describe(expects.webAddress("https://s3.exemple.fr")),
  S3_REGION: z.string().regex(/^\S+$/).default("auto").describe("une région comme eu-west-3"),
  S3_BUCKET: z.string().regex(/^\S+$/).optional().describe("le nom du compartiment"),
  S3_ACCESS_KEY_ID: z.string().regex(/^\S+$/).optional().describe("l'identifiant de la clé S3"),
  S3_SECRET_ACCESS_KEY: z.string().regex(/^\S+$/).optional().describe("le secret de la clé S3"),

  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^[sr]k_\S+$/)
    .optional()
    .describe("la clé secrète de Stripe (sk_… ou rk_…)"),
  STRIPE_PUBLISHABLE_KEY: z
    .string()
    .regex(/^pk_\S+$/)
    .optional()
    .describe("la clé publique de Stripe (pk_…)"),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_\S+$/)
    .optional()
    .describe("le secret de signature du webhook Stripe (whsec_…)"),
  STRIPE_API_BASE: httpUrl().optional().describe(expects.webAddress("https://api.stripe.com")),

  STOCK_HOLD_MINUTES: wholeNumber({ min: 1, max: 1440 })
    .default(15)
    .describe(expects.whole(1, 1440)),

  REDIS_URL: z
    .url({ protocol: /^rediss?$/ })
    .optional()
    .describe("une adresse comme redis://serveur:6379"),
  CACHE_PURGE_URL: z
    .string()
    .transform((value) => value.split(/[\s,]+/))
    .pipe(z.array(httpUrl()).max(50))
    .default([])
    .describe("une ou plusieurs adresses http(s), séparées par des espaces"),
  CACHE_PURGE_SECRET: z
    .string()
    .regex(/^[\w.~+/=-]{16,}$/)
    .optional()
    .describe(
      "au moins 16 lettres et chiffres tirés au hasard, par exemple avec : openssl rand -hex 24",
    ),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl()
    .optional()
    .describe(expects.webAddress("http://collecteur:4318")),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .regex(/^[^\s=,]+=[^,]*(?:,[^\s=,]+=[^,]*)*$/)
    .optional()
    .describe("des en-têtes comme nom=valeur,autre=valeur"),
  OTEL_SERVICE_NAME: z.string().default("mini-ecommerce").describe("un nom"),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(?:0(?:\.\d{1,6})?|1(?:\.0+)?)$/)
    .transform(Number)
    .default(1)
    .describe("un nombre de 0 à 1, comme 0.1"),
  OTEL_METRIC_EXPORT_INTERVAL: wholeNumber({ min: 100, max: 3_600_000 })
    .default(60_000)
    .describe(expects.whole(100, 3_600_000)),
  MATOMO_URL: httpUrl().optional().describe(expects.webAddress("https://matomo.exemple.fr")),
});

export type Env = z.output<typeof schema>;
export type EnvName = keyof Env;

/** The names of every variable, in the order of `.env.example`. */
export const ENV_NAMES = Object.keys(schema.shape) as EnvName[];

/** Values that must not appear in messages and logs. */
const SECRETS: ReadonlySet<string> = new Set<EnvName>([
  "DATABASE_URL",
  "DATABASE_REPLICA_URL",
  "REDIS_URL",
  "AUTH_SECRET",
  "AUTH_SECRET_PREVIOUS",
  "CRON_SECRET",
  "CACHE_PURGE_SECRET",
  "RESEND_API_KEY",
  "S3_ACCESS_KEY_ID",
  "S3_SECRET_ACCESS_KEY",
  "STRIPE_SECRET_KEY",
  // No secret by itself, but the two keys may be mixed up.
  "STRIPE_PUBLISHABLE_KEY",
  "STRIPE_WEBHOOK_SECRET",
  "OTEL_EXPORTER_OTLP_HEADERS",
]);

/** Variables that need others: where `when` is set, `needs` are required. */
const COMPANIONS: readonly { when: EnvName; needs: readonly EnvName[] }[] = [
  { when: "AUTH_SECRET_PREVIOUS", needs: ["AUTH_SECRET"] },
  { when: "RESEND_API_KEY", needs: ["MAIL_FROM"] },
  { when: "STRIPE_SECRET_KEY", needs: ["STRIPE_PUBLISHABLE_KEY", "STRIPE_WEBHOOK_SECRET"] },
  { when: "STRIPE_PUBLISHABLE_KEY", needs: ["STRIPE_SECRET_KEY"] },
  { when: "S3_BUCKET", needs: ["S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"] },
  { when: "S3_ENDPOINT", needs: ["S3_BUCKET"] },
  { when: "S3_ACCESS_KEY_ID", needs: ["S3_BUCKET"] },
  { when: "S3_SECRET_ACCESS_KEY", needs: ["S3_BUCKET"] },
  { when: "CACHE_PURGE_URL", needs: ["CACHE_PURGE_SECRET"] },
  { when: "OTEL_EXPORTER_OTLP_HEADERS", needs: ["OTEL_EXPORTER_OTLP_ENDPOINT"] },
];

type Source = Readonly<Record<string, string | undefined>>;

/**
 * The environment, checked and converted. An empty value counts as one that is not given.
 *
 * @throws OperatorError naming every wrong variable and what it should be
 */
export function parseEnv(source: Source): Env {
  const given: Record<string, string> = {};
  for (const name of ENV_NAMES) {
    const value = source[name]?.trim();
    if (value) given[name] = value;
  }

  const problems = new Map<string, string>();
  const result = schema.safeParse(given);
  for (const issue of result.error?.issues ?? []) {
    const name = String(issue.path[0]);
    const value = SECRETS.has(name) ? "" : ` (« ${given[name]} »)`;
    const expected = schema.shape[name as EnvName].description;
    problems.set(name, `${name} est incorrecte${value} : il faut ${expected}.`);
  }
  for (const { when, needs } of COMPANIONS) {
    if (given[when] === undefined) continue;
    for (const name of needs) {
      if (given[name] !== undefined || problems.has(name)) continue;
      const expected = schema.shape[name].description;
      problems.set(name, `${name} manque, puisque ${when} est donnée : il faut ${expected}.`);
    }
  }
  const ownDatabase = given.DATABASE_URL !== undefined && given.SHOP_DEMO !== "1";
  if (given.NODE_ENV === "production" && ownDatabase) {
    for (const name of ["AUTH_SECRET", "SITE_URL"] as const) {
      if (given[name] !== undefined) continue;
      const expected = schema.shape[name].description;
      problems.set(
        name,
        `${name} manque, elle est obligatoire en production avec DATABASE_URL : il faut ${expected}.`,
      );
    }
  }
  if (given.AUTH_SECRET !== undefined && given.AUTH_SECRET_PREVIOUS === given.AUTH_SECRET) {
    const expected = schema.shape.AUTH_SECRET_PREVIOUS.description;
    problems.set(
      "AUTH_SECRET_PREVIOUS",
      `AUTH_SECRET_PREVIOUS est incorrecte : il faut ${expected}.`,
    );
  }
  const isAmazons = given.S3_BUCKET !== undefined && given.S3_ENDPOINT === undefined;
  if (isAmazons && (given.S3_REGION ?? "auto") === "auto") {
    const expected = schema.shape.S3_REGION.description;
    problems.set(
      "S3_REGION",
      `S3_REGION manque, puisque S3_BUCKET est chez Amazon (sans S3_ENDPOINT) : il faut ${expected}.`,
    );
  }

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

/** The e-mail address of the shop: the sender of its mails, if no other one is configured. */
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
 * The secrets that sessions may be signed with and stored secrets sealed with: the present one first,
 * then, while it is being replaced, AUTH_SECRET_PREVIOUS.
 */
export function authSecrets(): [current: string, ...previous: string[]] {
  const previous = env().AUTH_SECRET_PREVIOUS;
  return previous === undefined ? [authSecret()] : [authSecret(), previous];
}
