/** How the issuing bank declines a charge. */
export type Decline = {
  /** Stripe's error code. */
  code: "card_declined" | "expired_card" | "incorrect_cvc" | "processing_error";
  /** Stripe's decline code, for `card_declined` alone. */
  declineCode?: string;
  message: string;
};

export interface TestCard {
  name: string;
  /** Digits alone. */
  number: string;
  brand: "visa" | "mastercard" | "amex" | "discover" | "diners" | "jcb" | "unionpay";
  funding: "credit" | "debit" | "prepaid";
  /** The issuing country. */
  country: string;
  /** What it does, for the status page. */
  label: string;
  /** Stripe's ready-made payment methods and tokens of this card. */
  aliases: readonly string[];
  /** Whether 3-D Secure is required; "optional": only where the shop requests it. */
  authentication: "none" | "optional" | "required";
  /** null: the payment succeeds. */
  decline: Decline | null;
}

const REFUSED = "Votre carte a été refusée.";

function card({
  name,
  number,
  aliases,
  label = "Paiement accepté",
  ...rest
}: Pick<TestCard, "name" | "number"> & { aliases: string } & Partial<
    Omit<TestCard, "aliases">
  >): TestCard {
  return {
    name,
    number,
    label,
    brand: "visa",
    funding: "credit",
    country: "US",
    authentication: "none",
    decline: null,
    ...rest,
    aliases: aliases.split(" ").filter(Boolean),
  };
}

function refused(declineCode: string, message = REFUSED): Decline {
  return { code: "card_declined", declineCode, message };
}

/** The card payments of https://docs.stripe.com/testing. */
export const TEST_CARDS: readonly TestCard[] = [
  card({
    name: "visa",
    number: "4242424242424242",
    aliases: "pm_card_visa tok_visa",
  }),
  card({
    name: "visa-debit",
    number: "4000056655665556",
    aliases: "pm_card_visa_debit tok_visa_debit",
    funding: "debit",
  }),
  card({
    name: "mastercard",
    number: "5555555555554444",
    aliases: "pm_card_mastercard tok_mastercard",
    brand: "mastercard",
  }),
  card({
    name: "mastercard-2-series",
    number: "2223003122003222",
    aliases: "",
    brand: "mastercard",
  }),
  card({
    name: "mastercard-debit",
    number: "5200828282828210",
    aliases: "pm_card_mastercard_debit tok_mastercard_debit",
    brand: "mastercard",
    funding: "debit",
  }),
  card({
    name: "mastercard-prepaid",
    number: "5105105105105100",
    aliases: "pm_card_mastercard_prepaid tok_mastercard_prepaid",
    brand: "mastercard",
    funding: "prepaid",
  }),
  card({
    name: "amex",
    number: "378282246310005",
    aliases: "pm_card_amex tok_amex",
    brand: "amex",
  }),
  card({
    name: "discover",
    number: "6011111111111117",
    aliases: "pm_card_discover tok_discover",
    brand: "discover",
  }),
  card({
    name: "diners",
    number: "3056930009020004",
    aliases: "pm_card_diners tok_diners",
    brand: "diners",
  }),
  card({ name: "jcb", number: "3566002020360505", aliases: "pm_card_jcb tok_jcb", brand: "jcb" }),
  card({
    name: "unionpay",
    number: "6200000000000005",
    aliases: "pm_card_unionpay tok_unionpay",
    brand: "unionpay",
  }),
  card({
    name: "france",
    number: "4000002500000003",
    aliases: "pm_card_fr tok_fr",
    country: "FR",
  }),

  card({
    name: "declined",
    number: "4000000000000002",
    aliases: "pm_card_visa_chargeDeclined pm_card_chargeDeclined tok_chargeDeclined",
    label: "Carte refusée",
    decline: refused("generic_decline"),
  }),
  card({
    name: "insufficient-funds",
    number: "4000000000009995",
    aliases:
      "pm_card_visa_chargeDeclinedInsufficientFunds pm_card_chargeDeclinedInsufficientFunds tok_chargeDeclinedInsufficientFunds",
    label: "Fonds insuffisants",
    decline: refused("insufficient_funds", "Votre carte ne dispose pas de fonds suffisants."),
  }),
  card({
    name: "lost",
    number: "4000000000009987",
    aliases: "pm_card_visa_chargeDeclinedLostCard pm_card_chargeDeclinedLostCard",
    label: "Carte perdue",
    decline: refused("lost_card"),
  }),
  card({
    name: "stolen",
    number: "4000000000009979",
    aliases: "pm_card_visa_chargeDeclinedStolenCard pm_card_chargeDeclinedStolenCard",
    label: "Carte volée",
    decline: refused("stolen_card"),
  }),
  card({
    name: "velocity",
    number: "4000000000006975",
    aliases: "pm_card_visa_chargeDeclinedVelocityLimitExceeded",
    label: "Trop de tentatives",
    decline: refused(
      "card_velocity_exceeded",
      "Votre carte a été refusée en raison de tentatives répétées trop fréquentes ou d'un montant limite dépassé.",
    ),
  }),
  card({
    name: "blocked",
    number: "4100000000000019",
    aliases: "pm_card_radarBlock tok_radarBlock",
    label: "Carte bloquée (fraude)",
    decline: refused("fraudulent"),
  }),
  card({
    name: "charge-fails",
    number: "4000000000000341",
    aliases: "pm_card_chargeCustomerFail tok_chargeCustomerFail",
    label: "Carte refusée au paiement",
    decline: refused("generic_decline"),
  }),
  card({
    name: "expired",
    number: "4000000000000069",
    aliases: "pm_card_chargeDeclinedExpiredCard tok_chargeDeclinedExpiredCard",
    label: "Carte expirée",
    decline: { code: "expired_card", message: "Votre carte a expiré." },
  }),
  card({
    name: "incorrect-cvc",
    number: "4000000000000127",
    aliases: "pm_card_chargeDeclinedIncorrectCvc tok_chargeDeclinedIncorrectCvc",
    label: "Code de sécurité incorrect",
    decline: {
      code: "incorrect_cvc",
      message: "Le code de sécurité de votre carte est incorrect.",
    },
  }),
  card({
    name: "processing-error",
    number: "4000000000000119",
    aliases: "pm_card_chargeDeclinedProcessingError tok_chargeDeclinedProcessingError",
    label: "Erreur de traitement",
    decline: {
      code: "processing_error",
      message:
        "Une erreur s'est produite lors du traitement de votre carte. Réessayez dans un instant.",
    },
  }),

  card({
    name: "authentication",
    number: "4000002500003155",
    aliases: "pm_card_authenticationRequiredOnSetup",
    label: "Authentification demandée",
    authentication: "required",
  }),
  card({
    name: "authentication-always",
    number: "4000002760003184",
    aliases: "pm_card_authenticationRequired",
    label: "Authentification demandée",
    authentication: "required",
  }),
  card({
    name: "authentication-3ds2",
    number: "4000000000003220",
    aliases: "pm_card_threeDSecure2Required",
    label: "Authentification demandée",
    authentication: "required",
  }),
  card({
    name: "authentication-3ds",
    number: "4000000000003063",
    aliases: "pm_card_threeDSecureRequired",
    label: "Authentification demandée",
    authentication: "required",
  }),
  card({
    name: "authentication-optional",
    number: "4000000000003055",
    aliases: "pm_card_threeDSecureOptional",
    label: "Paiement accepté, authentification possible",
    authentication: "optional",
  }),
  card({
    name: "authentication-then-declined",
    number: "4000008400001629",
    aliases: "pm_card_threeDSecureRequiredChargeDeclined",
    label: "Authentification demandée, puis carte refusée",
    authentication: "required",
    decline: refused("generic_decline"),
  }),
  card({
    name: "authentication-then-insufficient-funds",
    number: "4000008260003178",
    aliases: "pm_card_authenticationRequiredChargeDeclinedInsufficientFunds",
    label: "Authentification demandée, puis fonds insuffisants",
    authentication: "required",
    decline: refused("insufficient_funds", "Votre carte ne dispose pas de fonds suffisants."),
  }),
];

const byName = new Map(TEST_CARDS.map((entry) => [entry.name, entry]));
const byNumber = new Map(TEST_CARDS.map((entry) => [entry.number, entry]));
const byAlias = new Map(
  TEST_CARDS.flatMap((entry) => entry.aliases.map((alias) => [alias, entry] as const)),
);

export const findCardByNumber = (number: string): TestCard | undefined => byNumber.get(number);

/** @param alias "pm_card_visa", "tok_visa", … */
export const findCardByAlias = (alias: string): TestCard | undefined => byAlias.get(alias);

export function requireCard(name: string): TestCard {
  const found = byName.get(name);
  if (!found) throw new Error(`No test card is called ${name}`);
  return found;
}
