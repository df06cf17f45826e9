import { expect, test } from "@playwright/test";
import {
  demonstrationNotice,
  missingServiceNotices,
  refuseRealDemonstration,
  urlsForOthers,
} from "./start-notices";

const refusalOf = (settings: { STRIPE_SECRET_KEY?: string; SITE_URL?: string }) => {
  try {
    refuseRealDemonstration({ STRIPE_SECRET_KEY: undefined, SITE_URL: undefined, ...settings });
  } catch (error) {
    return (error as Error).message;
  }
  return null;
};

test("a demonstration neither charges cards nor is a public site", () => {
  for (const key of ["sk_live_secret", "rk_live_secret"]) {
    const text = refusalOf({ STRIPE_SECRET_KEY: key });
    expect(text).toContain("STRIPE_SECRET_KEY est une clé réelle");
    expect(text).not.toContain("secret\n");
    expect(text).not.toContain(key);
  }
  expect(refusalOf({ SITE_URL: "https://boutique.exemple.fr" })).toContain(
    "SITE_URL est l'adresse d'un site public (« https://boutique.exemple.fr »)",
  );
  expect(refusalOf({ STRIPE_SECRET_KEY: "sk_test_a", SITE_URL: "http://192.168.1.5:3000" })).toBe(
    null,
  );
  expect(refusalOf({})).toBe(null);
});

const address = (ip: string, { internal = false } = {}) => ({
  address: ip,
  netmask: "",
  mac: "",
  cidr: null,
  internal,
  ...(ip.includes(":") ? { family: "IPv6" as const, scopeid: 0 } : { family: "IPv4" as const }),
});

const interfaces = {
  lo: [address("127.0.0.1", { internal: true }), address("::1", { internal: true })],
  eth0: [address("192.168.1.5"), address("2001:db8::5"), address("fe80::1")],
};

test("the addresses by which others come are those that the shop listens on", () => {
  const urls = (host: string | undefined) => urlsForOthers({ host, port: 3000, interfaces });
  for (const host of [undefined, "::"])
    expect(urls(host)).toEqual(["http://192.168.1.5:3000", "http://[2001:db8::5]:3000"]);
  expect(urls("0.0.0.0")).toEqual(["http://192.168.1.5:3000"]);
  expect(urls("192.168.1.5")).toEqual(["http://192.168.1.5:3000"]);
  for (const host of ["127.0.0.1", "127.0.0.2", "::1", "localhost"]) expect(urls(host)).toEqual([]);
});

test("a demonstration that others can reach says so", () => {
  expect(demonstrationNotice([])).toBe(null);
  expect(demonstrationNotice(["http://192.168.1.5:3000"])).toBe(
    [
      "Attention : d'autres machines peuvent ouvrir cette démonstration, dont les mots de passe sont publics :",
      "  http://192.168.1.5:3000",
      "LISTEN_ADDRESS=127.0.0.1 la réserve à cette machine.",
    ].join("\n"),
  );
});

test("a shop of one's own says what it lacks", () => {
  const nothing = { RESEND_API_KEY: undefined, STRIPE_SECRET_KEY: undefined, MAIL_DIR: "/mails" };
  expect(missingServiceNotices(nothing)).toEqual([
    "Sans RESEND_API_KEY, aucun e-mail n'est envoyé : chacun devient un fichier dans /mails. Vos clients ne reçoivent ni confirmation, ni lien de vérification ou de mot de passe.",
    "Sans clés de Stripe, n'importe qui passe commande avec une carte d'essai : aucun paiement n'est réel, et les fichiers achetés sont livrés.",
  ]);
  const all = { ...nothing, RESEND_API_KEY: "re_1", STRIPE_SECRET_KEY: "sk_test_1" };
  expect(missingServiceNotices(all)).toEqual([]);
});
