import { z } from "zod";
import { WRONG_AMOUNT } from "@/lib/backoffice/texts";
import { centsFromEuros } from "@/lib/money";

/** The largest amount that the database holds, in cents. */
const MAX_CENTS = 2_147_483_647;

/**
 * The version that a form was filled in from. Where it is sent and another one is stored by now, the
 * save is refused (409); without it the last save wins.
 */
export const versionField = z
  .int()
  .nullish()
  .describe("La version lue ; si une autre est enregistrée depuis, l'écriture est refusée (409)");

/** An amount in euros, as number or text ("12,50"); gives integer cents from 0. */
export function amountField({ description, required }: { description: string; required: string }) {
  return z
    .unknown()
    .transform((value, context) => {
      const isEmpty = value === undefined || value === null || value === "";
      const cents =
        typeof value === "number" || typeof value === "string" ? centsFromEuros(value) : null;
      if (!isEmpty && cents !== null && cents >= 0 && cents <= MAX_CENTS) return cents;
      context.issues.push({
        code: "custom",
        input: value,
        message: isEmpty ? required : WRONG_AMOUNT,
      });
      return z.NEVER;
    })
    .meta({ type: "number", minimum: 0, description });
}
