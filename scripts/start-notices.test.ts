import { expect, test } from "@playwright/test";
import {
  demonstrationNotice,
  missingServiceNotices,
  refuseRealDemonstration,
  urlsForOthers,
} from "./start-notices";

test("a demonstration neither charges cards nor is a public site", () => {
  const starting = (settings: { STRIPE_SECRET_KEY?: string; SITE_URL?: string }) => () =>
    refuseRealDemonstration({ STRIPE_SECRET_KEY: undefined, SITE_URL: undefined, ...settings });
  for (const STRIPE_SECRET_KEY of ["sk_live_secret", "rk_live_secret"])
    expect(starting({ STRIPE_SECRET_KEY })).toThrow(
      /^(?!.*_secret).*STRIPE_SECRET_KEY est une clé réelle/s,
    );
  expect(starting({ SITE_URL: "https://boutique.exemple.fr" })).toThrow(
    "SITE_URL est l'adresse d'un site public (« https://boutique.exemple.fr »)",
  );
  expect(
    starting({ STRIPE_SECRET_KEY: "sk_test_a", SITE_URL: "http://192.168.1.5:3000" }),
  ).not.toThrow();
  expect(starting({})).not.toThrow();
});

const address = (ip: string, { internal = false } = {}) => ({
  address: ip,
  netmask: "",
  mac: "",
  cidr: null,
  internal,
  ...(ip.includes(":") ? { family: "IPv6" as const, scopeid: 0 } : { family: "IPv4" as const }),
});

test("the addresses by which others come are those that the shop listens on", () => {
  const interfaces = {
    lo: [address("127.0.0.1", { internal: true }), address("::1", { internal: true })],
    eth0: [address("192.168.1.5"), address("2001:db8::5"), address("fe80::1")],
  };
  const [v4, v6] = ["http://192.168.1.5:3000", "http://[2001:db8::5]:3000"];
  for (const [urls, ...hosts] of [
    [[v4, v6], undefined, "::"],
    [[v4], "0.0.0.0", "192.168.1.5"],
    [[], "127.0.0.1", "127.0.0.2", "::1", "localhost"],
  ] as const)
    for (const host of hosts)
      expect(urlsForOthers({ host, port: 3000, interfaces }), host).toEqual(urls);
});

test("a demonstration that others can reach says so, and a shop of one's own what it lacks", () => {
  expect(demonstrationNotice([])).toBe(null);
  expect(demonstrationNotice(["http://192.168.1.5:3000"])).toBe(
    [
      "Attention : d'autres machines peuvent ouvrir cette démonstration, dont les mots de passe sont publics :",
      "  http://192.168.1.5:3000",
      "LISTEN_ADDRESS=127.0.0.1 la réserve à cette machine.",
    ].join("\n"),
  );
  const nothing = { RESEND_API_KEY: undefined, STRIPE_SECRET_KEY: undefined, MAIL_DIR: "/mails" };
  expect(missingServiceNotices(nothing)).toEqual([
    "Sans RESEND_API_KEY, aucun e-mail n'est envoyé : chacun devient un fichier dans /mails. Vos clients ne reçoivent ni confirmation, ni lien de vérification ou de mot de passe.",
    "Sans clés de Stripe, n'importe qui passe commande avec une carte d'essai : aucun paiement n'est réel, et les fichiers achetés sont livrés.",
  ]);
  const all = { ...nothing, RESEND_API_KEY: "re_1", STRIPE_SECRET_KEY: "sk_test_1" };
  expect(missingServiceNotices(all)).toEqual([]);
});
