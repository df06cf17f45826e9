/** Most characters of a tracking number; the longest in use have some 40. */
export const TRACKING_MAX_LENGTH = 64;
export const CARRIER_MAX_LENGTH = 100;

interface Carrier {
  name: string;
  /** URL of the carrier's tracking page, to which the tracking number is appended. */
  trackingPage?: string;
}

/** Stands for a carrier that the shop does not know. */
export const OTHER_CARRIER = "Autre";

const LA_POSTE = "https://www.laposte.fr/outils/suivre-vos-envois?code=";

/** The carriers offered in the back office; the last one stands for any other. */
export const CARRIERS: readonly Carrier[] = [
  { name: "Colissimo", trackingPage: LA_POSTE },
  { name: "La Poste", trackingPage: LA_POSTE },
  {
    name: "Chronopost",
    trackingPage: "https://www.chronopost.fr/tracking-no-cms/suivi-page?listeNumerosLT=",
  },
  {
    name: "Mondial Relay",
    trackingPage: "https://www.mondialrelay.fr/suivi-de-colis/?numeroExpedition=",
  },
  { name: "UPS", trackingPage: "https://www.ups.com/track?loc=fr_FR&tracknum=" },
  { name: "DHL", trackingPage: "https://www.dhl.com/fr-fr/home/suivi.html?tracking-id=" },
  { name: "GLS", trackingPage: "https://gls-group.com/FR/fr/suivi-colis?match=" },
  { name: "DPD", trackingPage: "https://trace.dpd.fr/fr/trace/" },
  { name: OTHER_CARRIER },
];

/** Compares names without case, spaces and signs: "mondial-relay" is "Mondial Relay". */
const keyOf = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

const byKey = new Map(CARRIERS.map((carrier) => [keyOf(carrier.name), carrier]));

/** A carrier's name as the shop writes it; an unknown name stays as it is. */
export const carrierName = (name: string): string => byKey.get(keyOf(name))?.name ?? name;

/** The carrier's name to show; null for "Autre", which is no name. */
export const namedCarrier = (carrier: string): string | null =>
  carrier === OTHER_CARRIER ? null : carrier;

/** The tracking page of a parcel; null without a number, or where the carrier's page is unknown. */
export function trackingUrl({
  carrier,
  trackingNumber,
}: {
  carrier: string;
  trackingNumber: string | null;
}): string | null {
  const { trackingPage } = byKey.get(keyOf(carrier)) ?? {};
  if (trackingNumber === null || !trackingPage) return null;
  return trackingPage + encodeURIComponent(trackingNumber);
}

/** The same key for all spellings of a tracking number: "6A 123-4" and "6a1234". */
export const trackingKey = keyOf;

/** The carrier named in a shipping method ("Colissimo à domicile"), if any. */
export function carrierOfMethod(method: string | null): string | null {
  if (method === null) return null;
  const key = keyOf(method);
  const named = CARRIERS.filter(({ trackingPage }) => trackingPage);
  return named.find(({ name }) => key.includes(keyOf(name)))?.name ?? null;
}
