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

test("no variable is required", () => {
  const env = parseEnv({});
  expect(env).toMatchObject({
    PORT: 3000,
    TRUST_PROXY: 0,
    RATE_LIMIT_SCALE: 1,
    MAIL_DIR: ".data/mails",
    UPLOADS_DIR: ".data/uploads",
    SHOP_DEMO: false,
  });
  expect(env.DATABASE_URL).toBeUndefined();
});

test("an empty value counts as not given", () => {
  const env = parseEnv({ PORT: "", DATABASE_URL: "  " });
  expect(env.PORT).toBe(3000);
  expect(env.DATABASE_URL).toBeUndefined();
});

test("texts become numbers, flags and origins", () => {
  expect(
    parseEnv({ PORT: "8080", RATE_LIMIT_SCALE: "2.5", SHOP_DEMO: "1", SITE_URL: "https://a.fr/" }),
  ).toMatchObject({ PORT: 8080, RATE_LIMIT_SCALE: 2.5, SHOP_DEMO: true, SITE_URL: "https://a.fr" });
});

test("origins are a list of sites, without path and without wildcard", () => {
  expect(parseEnv({}).CORS_ORIGINS).toEqual([]);
  expect(
    parseEnv({ CORS_ORIGINS: "https://a.fr/, http://b.fr:8080 https://é.fr" }).CORS_ORIGINS,
  ).toEqual(["https://a.fr", "http://b.fr:8080", "https://xn--9ca.fr"]);
  for (const wrong of ["*", "a.fr", "https://a.fr/chemin", "https://*.a.fr", "null"])
    expect(complaintOf({ CORS_ORIGINS: wrong }), wrong).toContain(
      `CORS_ORIGINS est incorrecte (« ${wrong} ») : il faut des adresses de sites`,
    );
});

test("every wrong variable is named, with what it should be", () => {
  const complaint = complaintOf({
    PORT: "abc",
    SITE_URL: "boutique.fr",
    TRUST_PROXY: "-1",
    DATABASE_URL: "mysql://a/b",
    LOG_LEVEL: "loud",
  });
  expect(complaint).toContain(
    "PORT est incorrecte (« abc ») : il faut un nombre entier de 1 à 65535.",
  );
  expect(complaint).toContain(
    "SITE_URL est incorrecte (« boutique.fr ») : il faut l'adresse publique de la boutique, sans chemin, comme https://boutique.exemple.fr.",
  );
  expect(complaint).toContain(
    "TRUST_PROXY est incorrecte (« -1 ») : il faut un nombre entier de 0 à 10.",
  );
  expect(complaint).toContain(
    "DATABASE_URL est incorrecte : il faut une adresse comme postgresql://utilisateur:motdepasse@serveur:5432/boutique.",
  );
  expect(complaint).toContain("LOG_LEVEL est incorrecte (« loud »)");
  expect(complaint.match(/- \w+ est incorrecte/g)).toHaveLength(5);
});

for (const [name, values] of Object.entries({
  PORT: ["0", "65536", "3000.5", "0x10", "1e3", "-1"],
  RATE_LIMIT_SCALE: ["0", "-1", "x", "1,5", "Infinity"],
  SITE_URL: ["https://a.fr/boutique", "ftp://a.fr", "a.fr", "https://a.fr?x=1"],
  DATABASE_URL: ["serveur:5432", "http://a.fr", "postgresql://u:cent%@h/d"],
  LISTEN_ADDRESS: ["300.1.1.1", "partout"],
  AUTH_SECRET: ["trop court"],
  AUTH_SECRET_PREVIOUS: ["trop court"],
  CRON_SECRET: ["court", "un secret avec des accents : é"],
  CORS_ORIGINS: ["https://a.fr; https://b.fr"],
  MAIL_FROM: ["personne", "Nom <>", "a@b.fr\r\nBcc: c@d.fr", "Nom <a@b>", "a@b..fr"],
  MAIL_DIR: ["~/mails"],
  // The placeholders of .env.example are refused, too.
  RESEND_API_KEY: ["re_..."],
  STRIPE_SECRET_KEY: ["pk_test_x", "sk_..."],
  STRIPE_PUBLISHABLE_KEY: ["sk_test_x", "pk_..."],
  STRIPE_WEBHOOK_SECRET: ["whsec_..."],
  STRIPE_API_BASE: ["https://api.stripe.com/v1"],
  S3_BUCKET: ["s3://images", "images/boutique"],
  REDIS_URL: ["redis:serveur:6379", "redis://", "redis://serveur:6379/cache"],
  CACHE_PURGE_URL: ["http://u:p@varnish:6081"],
})) {
  test(`${name} is checked`, () => {
    for (const value of values) expect(complaintOf({ [name]: value })).toContain(`${name} est`);
  });
}

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

test("variables that belong together are asked for together", () => {
  expect(complaintOf({ RESEND_API_KEY: "re_1" })).toContain(
    "MAIL_FROM manque, puisque RESEND_API_KEY est donnée",
  );
  expect(complaintOf({ STRIPE_SECRET_KEY: "sk_1" })).toContain("STRIPE_WEBHOOK_SECRET manque");
  expect(complaintOf({ S3_BUCKET: "images" })).toContain("S3_SECRET_ACCESS_KEY manque");
  for (const name of ["S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"])
    expect(complaintOf({ [name]: "key" })).toContain(
      `S3_BUCKET manque, puisque ${name} est donnée`,
    );
  const bucket = { S3_BUCKET: "images", S3_ACCESS_KEY_ID: "id", S3_SECRET_ACCESS_KEY: "key" };
  expect(complaintOf(bucket)).toContain("S3_REGION manque");
  expect(complaintOf({ ...bucket, S3_REGION: "auto" })).toContain("S3_REGION manque");
  expect(() => parseEnv({ ...bucket, S3_REGION: "eu-west-3" })).not.toThrow();
  expect(() => parseEnv({ ...bucket, S3_ENDPOINT: "https://s3.exemple.fr" })).not.toThrow();
});

test("Stripe's keys are both for tests or both for real payments", () => {
  const keys = (secret: string, publishable: string) => ({
    STRIPE_SECRET_KEY: secret,
    STRIPE_PUBLISHABLE_KEY: publishable,
    STRIPE_WEBHOOK_SECRET: "whsec_1",
  });
  expect(complaintOf(keys("rk_live_1", "pk_test_1"))).toContain(
    "STRIPE_PUBLISHABLE_KEY est incorrecte, puisque STRIPE_SECRET_KEY est une clé réelle : il faut",
  );
  expect(complaintOf(keys("sk_test_1", "pk_live_1"))).toContain(
    "STRIPE_PUBLISHABLE_KEY est incorrecte, puisque STRIPE_SECRET_KEY est une clé d'essai : il faut",
  );
  expect(() => parseEnv(keys("sk_live_1", "pk_live_1"))).not.toThrow();
  expect(() => parseEnv(keys("sk_test_1", "pk_test_1"))).not.toThrow();
});

test("a slash at the end of a URL makes no difference", () => {
  expect(
    parseEnv({
      RESEND_BASE_URL: "https://api.resend.com/",
      STRIPE_API_BASE: "https://api.stripe.com/",
    }),
  ).toMatchObject({
    RESEND_BASE_URL: "https://api.resend.com",
    STRIPE_API_BASE: "https://api.stripe.com",
  });
});

test("the previous secret must differ from the current one", () => {
  const AUTH_SECRET = "0123456789abcdef0123456789abcdef";
  expect(complaintOf({ AUTH_SECRET_PREVIOUS: AUTH_SECRET })).toContain(
    "AUTH_SECRET manque, puisque AUTH_SECRET_PREVIOUS est donnée",
  );
  expect(complaintOf({ AUTH_SECRET, AUTH_SECRET_PREVIOUS: AUTH_SECRET })).toContain(
    "AUTH_SECRET_PREVIOUS est incorrecte : il faut l'ancienne AUTH_SECRET, d'au moins 16 caractères, différente de la nouvelle.",
  );
  expect(() => parseEnv({ AUTH_SECRET, AUTH_SECRET_PREVIOUS: "a".repeat(16) })).not.toThrow();
});

test("a key for sessions and the address are required in production with a database of one's own", () => {
  const DATABASE_URL = "postgresql://u:p@h/d";
  const AUTH_SECRET = "0123456789abcdef0123456789abcdef";
  const SITE_URL = "https://boutique.exemple.fr";
  const production = { NODE_ENV: "production", DATABASE_URL };
  expect(complaintOf({ ...production, SITE_URL })).toContain("AUTH_SECRET manque");
  expect(complaintOf({ ...production, AUTH_SECRET })).toContain(
    "SITE_URL manque, elle est obligatoire en production avec DATABASE_URL : il faut l'adresse publique de la boutique",
  );
  expect(complaintOf({ ...production, AUTH_SECRET, SITE_URL: "boutique.fr" })).not.toContain(
    "SITE_URL manque",
  );
  expect(parseEnv({ ...production, AUTH_SECRET, SITE_URL })).toMatchObject({
    AUTH_SECRET,
    SITE_URL,
  });
  expect(parseEnv({ NODE_ENV: "production", DATABASE_URL, SHOP_DEMO: "1" }).SHOP_DEMO).toBe(true);
  expect(parseEnv({ NODE_ENV: "development", DATABASE_URL }).DATABASE_URL).toBe(DATABASE_URL);
  expect(parseEnv({ NODE_ENV: "production" }).AUTH_SECRET).toBeUndefined();
});

test(".env.example documents every variable, and no other", () => {
  const documented = [...readFileSync(".env.example", "utf8").matchAll(/^#?([A-Z0-9_]+)=/gm)].map(
    ([, name]) => name,
  );
  expect(documented.toSorted()).toEqual([...ENV_NAMES].toSorted());
});
