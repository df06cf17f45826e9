/** How the issuing bank declines a charge. */
interface Decline {
  /** Stripe's error code. */
  code: "card_declined" | "expired_card" | "incorrect_cvc" | "processing_error";
  /** Stripe's decline code, for `card_declined` alone. */
  declineCode?: string;
  message: string;
}

export interface TestCard {
  /** Stripe's ready-made payment method of this card. */
  alias: string;
  /** Digits alone. */
  number: string;
  /** What it does, for the status page. */
  label: string;
  /** Does the bank ask the buyer to authenticate (3-D Secure)? */
  needsAuthentication: boolean;
  /** null: the payment succeeds. */
  decline: Decline | null;
}

function pays(number: string, alias: string): TestCard {
  const label = "Paiement accepté";
  return { number, alias, label, needsAuthentication: false, decline: null };
}

function declines(number: string, alias: string, label: string, decline: Decline): TestCard {
  return { number, alias, label, needsAuthentication: false, decline };
}

function authenticates(
  number: string,
  alias: string,
  { afterwards = "", decline = null }: { afterwards?: string; decline?: Decline | null } = {},
): TestCard {
  const label = `Authentification demandée${afterwards}`;
  return { number, alias, label, needsAuthentication: true, decline };
}

const refused = (declineCode: string, message = "Votre carte a été refusée."): Decline => ({
  code: "card_declined",
  declineCode,
  message,
});

const noFunds = refused("insufficient_funds", "Votre carte ne dispose pas de fonds suffisants.");

/** Its refunds are pending until the bank decides. */
export const PENDING_REFUND_CARD = "4000000000007726";

/** Cards of https://docs.stripe.com/testing. */
export const TEST_CARDS: readonly TestCard[] = [
  pays("4242424242424242", "pm_card_visa"),
  pays("4000056655665556", "pm_card_visa_debit"),
  pays("5555555555554444", "pm_card_mastercard"),
  pays("5200828282828210", "pm_card_mastercard_debit"),
  pays("5105105105105100", "pm_card_mastercard_prepaid"),
  pays("378282246310005", "pm_card_amex"),
  pays("6011111111111117", "pm_card_discover"),
  pays("3056930009020004", "pm_card_diners"),
  pays("3566002020360505", "pm_card_jcb"),
  pays("6200000000000005", "pm_card_unionpay"),
  pays("4000002500000003", "pm_card_fr"),
  {
    ...pays(PENDING_REFUND_CARD, "pm_card_pendingRefund"),
    label: "Paiement accepté, remboursement en attente",
  },

  declines(
    "4000000000000002",
    "pm_card_chargeDeclined",
    "Carte refusée",
    refused("generic_decline"),
  ),
  declines(
    "4000000000009995",
    "pm_card_chargeDeclinedInsufficientFunds",
    "Fonds insuffisants",
    noFunds,
  ),
  declines(
    "4000000000009987",
    "pm_card_chargeDeclinedLostCard",
    "Carte perdue",
    refused("lost_card"),
  ),
  declines(
    "4000000000009979",
    "pm_card_chargeDeclinedStolenCard",
    "Carte volée",
    refused("stolen_card"),
  ),
  declines(
    "4000000000006975",
    "pm_card_visa_chargeDeclinedVelocityLimitExceeded",
    "Trop de tentatives",
    refused(
      "card_velocity_exceeded",
      "Votre carte a été refusée en raison de tentatives répétées trop fréquentes ou d'un montant limite dépassé.",
    ),
  ),
  declines(
    "4100000000000019",
    "pm_card_radarBlock",
    "Carte bloquée (fraude)",
    refused("fraudulent"),
  ),
  declines("4000000000000069", "pm_card_chargeDeclinedExpiredCard", "Carte expirée", {
    code: "expired_card",
    message: "Votre carte a expiré.",
  }),
  declines("4000000000000127", "pm_card_chargeDeclinedIncorrectCvc", "Code de sécurité incorrect", {
    code: "incorrect_cvc",
    message: "Le code de sécurité de votre carte est incorrect.",
  }),
  declines("4000000000000119", "pm_card_chargeDeclinedProcessingError", "Erreur de traitement", {
    code: "processing_error",
    message:
      "Une erreur s'est produite lors du traitement de votre carte. Réessayez dans un instant.",
  }),

  authenticates("4000002500003155", "pm_card_authenticationRequiredOnSetup"),
  authenticates("4000002760003184", "pm_card_authenticationRequired"),
  authenticates("4000000000003220", "pm_card_threeDSecure2Required"),
  authenticates("4000008400001629", "pm_card_threeDSecureRequiredChargeDeclined", {
    afterwards: ", puis carte refusée",
    decline: refused("generic_decline"),
  }),
  authenticates(
    "4000008260003178",
    "pm_card_authenticationRequiredChargeDeclinedInsufficientFunds",
    {
      afterwards: ", puis fonds insuffisants",
      decline: noFunds,
    },
  ),
];
