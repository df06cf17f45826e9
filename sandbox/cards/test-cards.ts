import type { StoredPaymentIntent } from "@/sandbox/cards/records";

/** How the issuing bank declines a charge. */
type Decline = Omit<NonNullable<StoredPaymentIntent["last_payment_error"]>, "type">;

export interface TestCard {
  /** Digits only. */
  number: string;
  /** The id of Stripe's predefined payment method with this card. */
  alias: string;
  /** A description for the status page. */
  label: string;
  /** Whether the bank requires 3-D Secure. */
  needsAuthentication: boolean;
  /** null if the payment succeeds. */
  decline: Decline | null;
}

function card(
  number: string,
  name: string,
  {
    label = "Paiement accepté",
    needsAuthentication = false,
    decline = null,
  }: Partial<TestCard> = {},
): TestCard {
  return { number, alias: `pm_card_${name}`, label, needsAuthentication, decline };
}

const declines = (number: string, name: string, label: string, decline: Decline) =>
  card(number, name, { label, decline });

const authenticates = (number: string, name: string, label = "", decline: Decline | null = null) =>
  card(number, name, {
    label: `Authentification demandée${label}`,
    needsAuthentication: true,
    decline,
  });

const refused = (decline_code: string, message = "Votre carte a été refusée."): Decline => ({
  code: "card_declined",
  decline_code,
  message,
});

const noFunds = refused("insufficient_funds", "Votre carte ne dispose pas de fonds suffisants.");

/** A card whose refunds are pending until the bank decides. */
export const PENDING_REFUND_CARD = "4000000000007726";

/** Cards of https://docs.stripe.com/testing; "visa" is the payment method "pm_card_visa". */
export const TEST_CARDS: readonly TestCard[] = [
  card("4242424242424242", "visa"),
  card("4000056655665556", "visa_debit"),
  card("5555555555554444", "mastercard"),
  card("5200828282828210", "mastercard_debit"),
  card("5105105105105100", "mastercard_prepaid"),
  card("378282246310005", "amex"),
  card("6011111111111117", "discover"),
  card("3056930009020004", "diners"),
  card("3566002020360505", "jcb"),
  card("6200000000000005", "unionpay"),
  card("4000002500000003", "fr"),
  card(PENDING_REFUND_CARD, "pendingRefund", {
    label: "Paiement accepté, remboursement en attente",
  }),

  declines("4000000000000002", "chargeDeclined", "Carte refusée", refused("generic_decline")),
  declines("4000000000009995", "chargeDeclinedInsufficientFunds", "Fonds insuffisants", noFunds),
  declines("4000000000009987", "chargeDeclinedLostCard", "Carte perdue", refused("lost_card")),
  declines("4000000000009979", "chargeDeclinedStolenCard", "Carte volée", refused("stolen_card")),
  declines(
    "4000000000006975",
    "visa_chargeDeclinedVelocityLimitExceeded",
    "Trop de tentatives",
    refused(
      "card_velocity_exceeded",
      "Votre carte a été refusée en raison de tentatives répétées trop fréquentes ou d'un montant limite dépassé.",
    ),
  ),
  declines("4100000000000019", "radarBlock", "Carte bloquée (fraude)", refused("fraudulent")),
  declines("4000000000000069", "chargeDeclinedExpiredCard", "Carte expirée", {
    code: "expired_card",
    message: "Votre carte a expiré.",
  }),
  declines("4000000000000127", "chargeDeclinedIncorrectCvc", "Code de sécurité incorrect", {
    code: "incorrect_cvc",
    message: "Le code de sécurité de votre carte est incorrect.",
  }),
  declines("4000000000000119", "chargeDeclinedProcessingError", "Erreur de traitement", {
    code: "processing_error",
    message:
      "Une erreur s'est produite lors du traitement de votre carte. Réessayez dans un instant.",
  }),

  authenticates("4000002500003155", "authenticationRequiredOnSetup"),
  authenticates("4000002760003184", "authenticationRequired"),
  authenticates("4000000000003220", "threeDSecure2Required"),
  authenticates(
    "4000008400001629",
    "threeDSecureRequiredChargeDeclined",
    ", puis carte refusée",
    refused("generic_decline"),
  ),
  authenticates(
    "4000008260003178",
    "authenticationRequiredChargeDeclinedInsufficientFunds",
    ", puis fonds insuffisants",
    noFunds,
  ),
];
