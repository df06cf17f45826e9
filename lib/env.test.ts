import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { parseEnv } from "@/lib/env";
import { ENV_NAMES } from "@/lib/env-schema";
import { OperatorError } from "@/lib/errors/operator-error";

function complaintOf(source: Record<string, string>): string {
  try {
    parseEnv(source);
  } catch (error) {
    expect(error).toBeInstanceOf(OperatorError);
    return (error as OperatorError).message;
  }
  throw new Error("accepted");
}

const DATABASE_URL = "postgresql://u:p@h/d";
const AUTH_SECRET = "0123456789abcdef0123456789abcdef";
const SITE_URL = "https://boutique.exemple.fr";

test("no variable is required, and an empty one counts as not given", () => {
  for (const source of [{}, { PORT: "", DATABASE_URL: "  " }, { NODE_ENV: "production" }]) {
    const env = parseEnv(source);
    expect(env).toMatchObject({
      PORT: 3000,
      TRUST_PROXY: 0,
      RATE_LIMIT_SCALE: 1,
      SHOP_DEMO: false,
    });
    expect(env).toMatchObject({ MAIL_DIR: ".data/mails", UPLOADS_DIR: ".data/uploads" });
    expect([env.CORS_ORIGINS, env.DATABASE_URL, env.AUTH_SECRET]).toEqual([
      [],
      undefined,
      undefined,
    ]);
  }
});

test("texts become numbers, flags and addresses without a slash at their end", () => {
  const given = {
    PORT: "8080",
    RATE_LIMIT_SCALE: "2.5",
    SHOP_DEMO: "1",
    SITE_URL: "https://a.fr/",
  };
  expect(parseEnv({ ...given, STRIPE_API_BASE: "https://api.stripe.com/" })).toMatchObject({
    PORT: 8080,
    RATE_LIMIT_SCALE: 2.5,
    SHOP_DEMO: true,
    SITE_URL: "https://a.fr",
    STRIPE_API_BASE: "https://api.stripe.com",
  });
  const CORS_ORIGINS = "https://a.fr/, http://b.fr:8080 https://é.fr";
  expect(parseEnv({ CORS_ORIGINS }).CORS_ORIGINS).toEqual([
    "https://a.fr",
    "http://b.fr:8080",
    "https://xn--9ca.fr",
  ]);
});

test("every wrong variable is named, with what it should be", () => {
  const complaint = complaintOf({
    PORT: "abc",
    SITE_URL: "boutique.fr",
    TRUST_PROXY: "-1",
    DATABASE_URL: "mysql://a/b",
    CORS_ORIGINS: "*",
  });
  for (const line of [
    "PORT est incorrecte (« abc ») : il faut un nombre entier de 1 à 65535.",
    "SITE_URL est incorrecte (« boutique.fr ») : il faut l'adresse publique de la boutique, sans chemin, comme https://boutique.exemple.fr.",
    "TRUST_PROXY est incorrecte (« -1 ») : il faut un nombre entier de 0 à 10.",
    "DATABASE_URL est incorrecte : il faut une adresse comme postgresql://utilisateur:motdepasse@serveur:5432/boutique.",
    "CORS_ORIGINS est incorrecte (« * ») : il faut des adresses de sites",
  ])
    expect(complaint).toContain(line);
  expect(complaint.match(/- \w+ est incorrecte/g)).toHaveLength(5);
});

test("wrong values are refused, the placeholders of .env.example among them", () => {
  for (const [name, values] of Object.entries({
    PORT: ["0", "65536", "3000.5", "0x10", "1e3", "-1"],
    RATE_LIMIT_SCALE: ["0", "-1", "x", "1,5", "Infinity"],
    SITE_URL: ["https://a.fr/boutique", "ftp://a.fr", "a.fr", "https://a.fr?x=1"],
    DATABASE_URL: ["serveur:5432", "http://a.fr", "postgresql://u:cent%@h/d"],
    LISTEN_ADDRESS: ["300.1.1.1", "partout"],
    LOG_LEVEL: ["loud"],
    AUTH_SECRET: ["trop court"],
    AUTH_SECRET_PREVIOUS: ["trop court"],
    CRON_SECRET: ["court", "un secret avec des accents : é"],
    CORS_ORIGINS: [
      "a.fr",
      "https://a.fr/chemin",
      "https://*.a.fr",
      "null",
      "https://a.fr; https://b.fr",
    ],
    MAIL_FROM: ["personne", "Nom <>", "a@b.fr\r\nBcc: c@d.fr", "Nom <a@b>", "a@b..fr"],
    MAIL_DIR: ["~/mails"],
    RESEND_API_KEY: ["re_..."],
    STRIPE_SECRET_KEY: ["pk_test_x", "sk_..."],
    STRIPE_PUBLISHABLE_KEY: ["sk_test_x", "pk_..."],
    STRIPE_WEBHOOK_SECRET: ["whsec_..."],
    STRIPE_API_BASE: ["https://api.stripe.com/v1"],
    S3_BUCKET: ["s3://images", "images/boutique"],
    REDIS_URL: ["redis:serveur:6379", "redis://", "redis://serveur:6379/cache"],
    CACHE_PURGE_URL: ["http://u:p@varnish:6081"],
  }))
    for (const value of values)
      expect(complaintOf({ [name]: value }), value).toContain(`${name} est`);
});

test("a secret never appears in the message", () => {
  const complaint = complaintOf({
    AUTH_SECRET: "s3cret-a",
    AUTH_SECRET_PREVIOUS: "s3cret-e",
    STRIPE_SECRET_KEY: "s3cret-b",
    STRIPE_PUBLISHABLE_KEY: "sk_live_s3cret",
    DATABASE_URL: "mysql://u:s3cret-c@h/d",
    REDIS_URL: "http://u:s3cret-d@h",
  });
  expect(complaint).not.toContain("s3cret");
});

const BUCKET = { S3_BUCKET: "images", S3_ACCESS_KEY_ID: "id", S3_SECRET_ACCESS_KEY: "key" };
const stripe = (secret: string, publishable: string) => ({
  STRIPE_SECRET_KEY: secret,
  STRIPE_PUBLISHABLE_KEY: publishable,
  STRIPE_WEBHOOK_SECRET: "whsec_1",
});
const PRODUCTION = { NODE_ENV: "production", DATABASE_URL };

test("variables that belong together are asked for together, and fit each other", () => {
  for (const [source, sentence] of [
    [{ RESEND_API_KEY: "re_1" }, "MAIL_FROM manque, puisque RESEND_API_KEY est donnée"],
    [{ STRIPE_SECRET_KEY: "sk_1" }, "STRIPE_WEBHOOK_SECRET manque"],
    [{ S3_BUCKET: "images" }, "S3_SECRET_ACCESS_KEY manque"],
    [{ S3_ACCESS_KEY_ID: "key" }, "S3_BUCKET manque, puisque S3_ACCESS_KEY_ID est donnée"],
    [BUCKET, "S3_REGION manque"],
    [{ ...BUCKET, S3_REGION: "auto" }, "S3_REGION manque"],
    [
      stripe("rk_live_1", "pk_test_1"),
      "STRIPE_PUBLISHABLE_KEY est incorrecte, puisque STRIPE_SECRET_KEY est une clé réelle : il faut",
    ],
    [
      stripe("sk_test_1", "pk_live_1"),
      "STRIPE_PUBLISHABLE_KEY est incorrecte, puisque STRIPE_SECRET_KEY est une clé d'essai : il faut",
    ],
    [
      { AUTH_SECRET_PREVIOUS: AUTH_SECRET },
      "AUTH_SECRET manque, puisque AUTH_SECRET_PREVIOUS est donnée",
    ],
    [
      { AUTH_SECRET, AUTH_SECRET_PREVIOUS: AUTH_SECRET },
      "AUTH_SECRET_PREVIOUS est incorrecte : il faut l'ancienne AUTH_SECRET, d'au moins 16 caractères, différente de la nouvelle.",
    ],
    [{ ...PRODUCTION, SITE_URL }, "AUTH_SECRET manque"],
    [
      { ...PRODUCTION, AUTH_SECRET },
      "SITE_URL manque, elle est obligatoire en production avec DATABASE_URL : il faut l'adresse publique de la boutique",
    ],
  ] as [Record<string, string>, string][])
    expect(complaintOf(source)).toContain(sentence);
  for (const source of [
    { ...BUCKET, S3_REGION: "eu-west-3" },
    { ...BUCKET, S3_ENDPOINT: "https://s3.exemple.fr" },
    stripe("sk_live_1", "pk_live_1"),
    stripe("sk_test_1", "pk_test_1"),
    { AUTH_SECRET, AUTH_SECRET_PREVIOUS: "a".repeat(16) },
    { ...PRODUCTION, AUTH_SECRET, SITE_URL },
    { ...PRODUCTION, SHOP_DEMO: "1" },
    { NODE_ENV: "development", DATABASE_URL },
  ])
    expect(() => parseEnv(source)).not.toThrow();
});

test(".env.example documents every variable, and no other", () => {
  const text = readFileSync(".env.example", "utf8");
  const documented = [...text.matchAll(/^#?([A-Z0-9_]+)=/gm)].map(([, name]) => name);
  expect(documented.toSorted()).toEqual([...ENV_NAMES].toSorted());
});
