import { passesLuhn } from "@/lib/numbers";
import { ApiError, resourceMissing } from "@/sandbox/cards/api-error";
import type { Params } from "@/sandbox/cards/params";
import { TEST_CARDS, type TestCard } from "@/sandbox/cards/test-cards";

const nameOf = (part: string) => `payment_method_data[card][${part}]`;

const cardError = (part: string, code: string, message: string) =>
  new ApiError({ status: 402, type: "card_error", param: nameOf(part), code, message });

function readNumber(params: Params): TestCard {
  const number = params.requiredText(nameOf("number")).replace(/[\s-]/g, "");
  if (!/^\d{12,19}$/.test(number))
    throw cardError(
      "number",
      "invalid_number",
      "Le numéro de carte n'est pas un numéro de carte valide.",
    );
  if (!passesLuhn(number))
    throw cardError("number", "incorrect_number", "Le numéro de votre carte est incorrect.");
  const card = TEST_CARDS.find((each) => each.number === number);
  if (card) return card;
  throw cardError(
    "number",
    "card_declined",
    "Votre carte a été refusée. Ceci est une démonstration : seules les cartes de test sont acceptées.",
  );
}

function checkExpiry(params: Params): void {
  const month = params.requiredInteger(nameOf("exp_month"));
  const given = params.requiredInteger(nameOf("exp_year"));
  const year = given >= 0 && given < 100 ? 2000 + given : given;
  const today = new Date();
  const thisYear = today.getUTCFullYear();
  if (year < thisYear || year > thisYear + 50)
    throw cardError(
      "exp_year",
      "invalid_expiry_year",
      "L'année d'expiration de votre carte n'est pas valide.",
    );
  const earliest = year === thisYear ? today.getUTCMonth() + 1 : 1;
  if (month < earliest || month > 12)
    throw cardError(
      "exp_month",
      "invalid_expiry_month",
      "Le mois d'expiration de votre carte n'est pas valide.",
    );
}

function checkCvc(params: Params, { number }: TestCard): void {
  const pattern = /^3[47]/.test(number) ? /^\d{4}$/ : /^\d{3}$/;
  if (!pattern.test(params.requiredText(nameOf("cvc"))))
    throw cardError("cvc", "invalid_cvc", "Le code de sécurité de votre carte n'est pas valide.");
}

/**
 * The card of `payment_method`, such as pm_card_visa, or of `payment_method_data`.
 *
 * @throws ApiError 400 for an unknown payment method, 402 for invalid card data
 */
export function readCard(params: Params): TestCard | undefined {
  const alias = params.text("payment_method");
  if (alias !== undefined) {
    const card = cardCalled(alias);
    if (card) return card;
    throw resourceMissing(alias, "payment_method", 400);
  }
  if (params.oneOf("payment_method_data[type]", ["card"]) === undefined) return undefined;
  const card = readNumber(params);
  checkExpiry(params);
  checkCvc(params, card);
  return card;
}

/** Stripe calls declined cards by two names: pm_card_chargeDeclined, pm_card_visa_chargeDeclined. */
export const cardCalled = (alias: string | null): TestCard | undefined =>
  TEST_CARDS.find(
    (card) =>
      alias === card.alias || alias === card.alias.replace("pm_card_charge", "pm_card_visa_charge"),
  );
