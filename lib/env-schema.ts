import { z } from "zod";
import { isEmail } from "@/lib/text/email";
import { isDecodable } from "@/lib/text/percent-encoding";

/** A whole number in plain digits: `Number()` alone would take "0x10", "1e3" and " 7 ", too. */
const wholeNumber = ({ min, max, byDefault }: { min: number; max: number; byDefault: number }) =>
  z
    .string()
    .regex(/^\d{1,10}$/)
    .transform(Number)
    .pipe(z.number().min(min).max(max))
    .default(byDefault)
    .describe(`un nombre entier de ${min} à ${max}`);

const flag = (byDefault: "0" | "1") =>
  z
    .enum(["0", "1"])
    .default(byDefault)
    .transform((value) => value === "1")
    .describe("0 ou 1");

/** Secrets and keys are sent in headers, which take these characters only. */
const HEADER_TEXT = /^[\x20-\x7e]+$/;

const secret = (description: string) => z.string().min(16).optional().describe(description);

/** A host name or an IP address; `URL` would take "boutique.fr;", too. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])$/i;

/** A URL without a user name: `fetch` refuses URLs with one. */
const httpUrl = () =>
  z
    .url({ protocol: /^https?$/, hostname: HOST })
    .refine((value) => URL.canParse(value) && new URL(value).username === "");

const optionalUrl = (example: string) =>
  httpUrl().optional().describe(`une adresse http(s) comme ${example}`);

const optionalText = (pattern: RegExp, description: string) =>
  z.string().regex(pattern).optional().describe(description);

/** An origin, without path, user or query: "https://boutique.exemple.fr", with or without a slash. */
const origin = () =>
  httpUrl()
    .refine((value) => URL.canParse(value) && new URL(value).href === `${new URL(value).origin}/`)
    // A browser sends an origin, never a pattern.
    .refine((value) => !value.includes("*"))
    .transform((value) => new URL(value).origin);

/** Several values, separated by commas or spaces. */
const list = () => z.string().transform((value) => value.split(/[\s,]+/));

/** "Boutique <bonjour@exemple.fr>" or the bare address. */
const SENDER = /^(?:[^<>\r\n]+ )?<([^\s<>]+)>$|^([^\s<>]+)$/;

function isSender(value: string): boolean {
  const [, named, bare] = SENDER.exec(value) ?? [];
  return isEmail(named ?? bare ?? "");
}

/** Refuses "~", which only a shell replaces by the home folder: a folder with this name would be created. */
const folder = (byDefault: string) =>
  z
    .string()
    .regex(/^(?!~)/)
    .default(byDefault)
    .describe("un dossier, dont le chemin ne commence pas par ~");

/**
 * Every variable that the shop reads. The description completes "il faut …" in the message about a refused
 * value. `.env.example` explains each variable; a test keeps the two in step.
 */
export const schema = z.object({
  NODE_ENV: z
    .enum(["development", "production", "test"])
    .default("development")
    .describe("development, production ou test"),
  /** Set by `npm start` itself when it runs the embedded database; see `isDemo`. */
  SHOP_DEMO: flag("0"),

  DATABASE_URL: z
    .url({ protocol: /^postgres(?:ql)?$/ })
    .refine(isDecodable)
    .optional()
    .describe("une adresse comme postgresql://utilisateur:motdepasse@serveur:5432/boutique"),
  DATABASE_POOL_MAX: wholeNumber({ min: 1, max: 1000, byDefault: 10 }),
  DATABASE_PREPARE: flag("1"),
  DATABASE_TIMEOUT: wholeNumber({ min: 1, max: 3600, byDefault: 10 }),

  AUTH_SECRET: secret(
    "au moins 16 caractères tirés au hasard, par exemple avec : openssl rand -base64 48",
  ),
  AUTH_SECRET_PREVIOUS: secret(
    "l'ancienne AUTH_SECRET, d'au moins 16 caractères, différente de la nouvelle",
  ),
  CRON_SECRET: z
    .string()
    .min(16)
    .regex(HEADER_TEXT)
    .optional()
    .describe(
      "au moins 16 caractères sans accent, tirés au hasard, par exemple avec : openssl rand -hex 24",
    ),

  PORT: wholeNumber({ min: 1, max: 65535, byDefault: 3000 }),
  LISTEN_ADDRESS: z
    .union([z.ipv4(), z.ipv6(), z.literal("localhost")])
    .optional()
    .describe("une adresse IP de cette machine, comme 127.0.0.1"),
  SITE_URL: origin()
    .optional()
    .describe("l'adresse publique de la boutique, sans chemin, comme https://boutique.exemple.fr"),
  CORS_ORIGINS: list()
    .pipe(z.array(origin()))
    .default([])
    .describe("des adresses de sites, sans chemin, séparées par des virgules"),
  TRUST_PROXY: wholeNumber({ min: 0, max: 10, byDefault: 0 }),
  DRAIN_DELAY: wholeNumber({ min: 0, max: 300, byDefault: 0 }),
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

  RESEND_API_KEY: optionalText(/^[\w-]+$/, "la clé d'API de Resend (re_…)"),
  RESEND_BASE_URL: httpUrl()
    .transform((value) => value.replace(/\/+$/, ""))
    .default("https://api.resend.com")
    .describe("une adresse http(s) comme https://api.resend.com"),
  MAIL_FROM: z
    .string()
    .refine(isSender)
    .default("Mini Ecommerce <contact@mini-ecommerce.test>")
    .describe("une adresse comme Mini Ecommerce <boutique@exemple.fr>"),
  CONTACT_MAIL: z.email().optional().describe("une adresse e-mail comme contact@exemple.fr"),
  MAIL_DIR: folder(".data/mails"),

  UPLOADS_DIR: folder(".data/uploads"),
  DOWNLOADS_DIR: folder(".data/downloads"),
  S3_ENDPOINT: optionalUrl("https://s3.exemple.fr"),
  S3_REGION: z.string().regex(/^\S+$/).default("auto").describe("une région comme eu-west-3"),
  S3_BUCKET: optionalText(/^[\w.-]+$/, "le nom du compartiment, sans s3:// ni dossier"),
  S3_ACCESS_KEY_ID: optionalText(/^\S+$/, "l'identifiant de la clé S3"),
  S3_SECRET_ACCESS_KEY: optionalText(/^\S+$/, "le secret de la clé S3"),

  STRIPE_SECRET_KEY: optionalText(/^[sr]k_\w+$/, "la clé secrète de Stripe (sk_… ou rk_…)"),
  STRIPE_PUBLISHABLE_KEY: optionalText(/^pk_\w+$/, "la clé publique de Stripe (pk_…)"),
  STRIPE_WEBHOOK_SECRET: optionalText(
    /^whsec_[\w+/=-]+$/,
    "le secret de signature du webhook Stripe (whsec_…)",
  ),
  STRIPE_API_BASE: origin()
    .optional()
    .describe("une adresse http(s), sans chemin, comme https://api.stripe.com"),

  STOCK_HOLD_MINUTES: wholeNumber({ min: 1, max: 1440, byDefault: 15 }),

  REDIS_URL: z
    .url({ protocol: /^rediss?$/, hostname: /./ })
    .refine((value) => URL.canParse(value) && /^\/?\d*$/.test(new URL(value).pathname))
    .optional()
    .describe("une adresse comme redis://serveur:6379"),
  CACHE_PURGE_URL: list()
    .pipe(z.array(httpUrl()).max(50))
    .default([])
    .describe("une ou plusieurs adresses http(s), séparées par des espaces"),
  CACHE_PURGE_SECRET: optionalText(
    /^[\w.~+/=-]{16,}$/,
    "au moins 16 lettres et chiffres tirés au hasard, par exemple avec : openssl rand -hex 24",
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: optionalUrl("http://collecteur:4318"),
  OTEL_EXPORTER_OTLP_HEADERS: optionalText(
    /^[^\s=,]+=[^,]*(?:,[^\s=,]+=[^,]*)*$/,
    "des en-têtes comme nom=valeur,autre=valeur",
  ),
  OTEL_SERVICE_NAME: z.string().default("mini-ecommerce").describe("un nom"),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(?:0(?:\.\d{1,6})?|1(?:\.0+)?)$/)
    .transform(Number)
    .default(1)
    .describe("un nombre de 0 à 1, comme 0.1"),
  OTEL_METRIC_EXPORT_INTERVAL: wholeNumber({ min: 100, max: 3_600_000, byDefault: 60_000 }),
  MATOMO_URL: optionalUrl("https://matomo.exemple.fr"),
});

export type Env = z.output<typeof schema>;
export type EnvName = keyof Env;

/** The names of every variable, in the order of `.env.example`. */
export const ENV_NAMES = Object.keys(schema.shape) as EnvName[];

/** Values that must not appear in messages and logs. */
export const SECRETS: ReadonlySet<string> = new Set<EnvName>([
  "DATABASE_URL",
  "REDIS_URL",
  "AUTH_SECRET",
  "AUTH_SECRET_PREVIOUS",
  "CRON_SECRET",
  "CACHE_PURGE_SECRET",
  "RESEND_API_KEY",
  "S3_ACCESS_KEY_ID",
  "S3_SECRET_ACCESS_KEY",
  "STRIPE_SECRET_KEY",
  // Not secret itself, but the secret key may be entered here by mistake.
  "STRIPE_PUBLISHABLE_KEY",
  "STRIPE_WEBHOOK_SECRET",
  "OTEL_EXPORTER_OTLP_HEADERS",
]);

/** Variables that need others: where `when` is set, `needs` are required. */
export const COMPANIONS: readonly { when: EnvName; needs: readonly EnvName[] }[] = [
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
