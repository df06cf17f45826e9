import { networkInterfaces } from "node:os";
import path from "node:path";
import { isLiveKey } from "@/lib/env";
import type { Env } from "@/lib/env-schema";
import { OperatorError } from "@/lib/errors/operator-error";
import { isLoopback } from "@/lib/http/server/network";

// The warnings of `npm start`: for a demonstration, whose passwords are public, and for a shop with a
// database of its own that lacks a service.

/** @throws OperatorError if the demonstration would charge real cards or have a public address */
export function refuseRealDemonstration({
  STRIPE_SECRET_KEY,
  SITE_URL,
}: Pick<Env, "STRIPE_SECRET_KEY" | "SITE_URL">): void {
  const reason = isLiveKey(STRIPE_SECRET_KEY)
    ? "STRIPE_SECRET_KEY est une clé réelle, qui débite de vraies cartes"
    : SITE_URL?.startsWith("https:")
      ? `SITE_URL est l'adresse d'un site public (« ${SITE_URL} »)`
      : null;
  if (reason === null) return;
  throw new OperatorError(
    [
      `Sans DATABASE_URL, c'est la boutique de démonstration qui est lancée, et ses mots de passe sont publics ; or ${reason}.`,
      "Donnez DATABASE_URL pour ouvrir votre boutique, ou retirez cette variable pour essayer la démonstration. Chaque variable est expliquée dans .env.example.",
    ].join("\n"),
  );
}

type Interfaces = ReturnType<typeof networkInterfaces>;

/** The URLs by which other machines reach a server on this address. */
export function urlsForOthers({
  host,
  port,
  interfaces = networkInterfaces(),
}: {
  /** Undefined for all addresses of this machine. */
  host: string | undefined;
  port: number;
  interfaces?: Interfaces;
}): string[] {
  if (host === "localhost" || (host !== undefined && isLoopback(host))) return [];
  const isEvery = host === undefined || host === "::" || host === "0.0.0.0";
  const found = Object.values(interfaces)
    .flatMap((each) => each ?? [])
    .filter(({ internal, family }) => !internal && (host !== "0.0.0.0" || family === "IPv4"))
    .map(({ address }) => address)
    // Link-local addresses are useless in a URL.
    .filter((address) => !address.startsWith("fe80:"));
  const addresses = isEvery ? found : [host];
  return addresses.map((ip) => urlOf(ip, port));
}

export const urlOf = (host: string, port: number) =>
  `http://${host.includes(":") ? `[${host}]` : host}:${port}`;

/** The warning for a demonstration that other machines can reach; null if none can. */
export function demonstrationNotice(urls: readonly string[]): string | null {
  if (urls.length === 0) return null;
  return [
    "Attention : d'autres machines peuvent ouvrir cette démonstration, dont les mots de passe sont publics :",
    ...urls.map((url) => `  ${url}`),
    "LISTEN_ADDRESS=127.0.0.1 la réserve à cette machine.",
  ].join("\n");
}

/** The services that a shop with a database of its own lacks. */
export function missingServiceNotices({
  RESEND_API_KEY,
  STRIPE_SECRET_KEY,
  MAIL_DIR,
}: Pick<Env, "RESEND_API_KEY" | "STRIPE_SECRET_KEY" | "MAIL_DIR">): string[] {
  const notices: string[] = [];
  if (RESEND_API_KEY === undefined)
    notices.push(
      `Sans RESEND_API_KEY, aucun e-mail n'est envoyé : chacun devient un fichier dans ${path.resolve(MAIL_DIR)}. Vos clients ne reçoivent ni confirmation, ni lien de vérification ou de mot de passe.`,
    );
  if (STRIPE_SECRET_KEY === undefined)
    notices.push(
      "Sans clés de Stripe, n'importe qui passe commande avec une carte d'essai : aucun paiement n'est réel, et les fichiers achetés sont livrés.",
    );
  return notices;
}
