import { passesLuhn } from "@/lib/luhn";
import type { ApiCall } from "@/sandbox/cards/api-call";
import { ApiError, resourceMissing } from "@/sandbox/cards/api-error";
import type { Params } from "@/sandbox/cards/params";
import { TEST_CARDS, type TestCard } from "@/sandbox/cards/test-cards";

const DATA = "payment_method_data";

function cardError(
  part: "number" | "exp_month" | "exp_year" | "cvc",
  details: { code: string; message: string; decline_code?: string },
): never {
  throw new ApiError({
    status: 402,
    type: "card_error",
    param: `${DATA}[card][${part}]`,
    ...details,
  });
}

function readNumber(params: Params): TestCard {
  const number = params.requiredText(`${DATA}[card][number]`).replace(/[\s-]/g, "");
  if (!/^\d{12,19}$/.test(number))
    cardError("number", {
      code: "invalid_number",
      message: "Le numéro de carte n'est pas un numéro de carte valide.",
    });
  if (!passesLuhn(number))
    cardError("number", {
      code: "incorrect_number",
      message: "Le numéro de votre carte est incorrect.",
    });
  return (
    TEST_CARDS.find((card) => card.number === number) ??
    cardError("number", {
      code: "card_declined",
      decline_code: "test_mode_live_card",
      message:
        "Votre carte a été refusée. Ceci est une démonstration : seules les cartes de test sont acceptées.",
    })
  );
}

function checkExpiry(params: Params, now: number): void {
  const month = params.requiredInteger(`${DATA}[card][exp_month]`);
  const given = params.requiredInteger(`${DATA}[card][exp_year]`);
  const year = given >= 0 && given < 100 ? 2000 + given : given;
  const today = new Date(now * 1000);
  const thisYear = today.getUTCFullYear();
  if (year < thisYear || year > thisYear + 50)
    cardError("exp_year", {
      code: "invalid_expiry_year",
      message: "L'année d'expiration de votre carte n'est pas valide.",
    });
  const earliest = year === thisYear ? today.getUTCMonth() + 1 : 1;
  if (month < earliest || month > 12)
    cardError("exp_month", {
      code: "invalid_expiry_month",
      message: "Le mois d'expiration de votre carte n'est pas valide.",
    });
}

function checkCvc(params: Params, { number }: TestCard): void {
  const digits = /^3[47]/.test(number) ? 4 : 3;
  if (!new RegExp(`^\\d{${digits}}$`).test(params.requiredText(`${DATA}[card][cvc]`)))
    cardError("cvc", {
      code: "invalid_cvc",
      message: "Le code de sécurité de votre carte n'est pas valide.",
    });
}

/**
 * The card of `payment_method`, such as pm_card_visa, or of `payment_method_data`.
 *
 * @throws ApiError 400 for an unknown one, 402 for invalid card data
 */
export function readCard({ params, now }: ApiCall): TestCard | undefined {
  const alias = params.text("payment_method");
  if (alias !== undefined) {
    const card = cardCalled(alias);
    if (card) return card;
    const param = "payment_method";
    throw resourceMissing({ what: "PaymentMethod", id: alias, param, status: 400 });
  }
  if (params.oneOf(`${DATA}[type]`, ["card"]) === undefined) return undefined;
  params.text(`${DATA}[billing_details][name]`);
  const card = readNumber(params);
  checkExpiry(params, now);
  checkCvc(params, card);
  return card;
}

/** Stripe calls declined cards by two names: pm_card_chargeDeclined, pm_card_visa_chargeDeclined. */
const cardCalled = (alias: string) =>
  TEST_CARDS.find((card) =>
    [card.alias, card.alias.replace("pm_card_charge", "pm_card_visa_charge")].includes(alias),
  );

/** @param alias of a payment intent's `payment_method`; a number is never stored */
export function cardOf(alias: string): TestCard {
  const card = cardCalled(alias);
  if (!card) throw new Error(`No test card is called ${alias}`);
  return card;
}
