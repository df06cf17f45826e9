import { z } from "zod";
import { textField } from "@/lib/text/text-field";
import { ITEMS_MAX_LENGTH } from "./rules";

/** The body of POST /api/orders/{id}/withdrawal. */
export const withdrawalInput = z.object({
  items: textField({
    description: "Articles concernés, en une phrase ; vide pour tous les objets de la commande",
    maxLength: ITEMS_MAX_LENGTH,
  }),
});

const date = z.iso.datetime({ offset: true });

/** An order's withdrawal, if any, and whether a withdrawal is possible. */
export const withdrawalState = z.object({
  isPossible: z.boolean().describe("L'acheteur peut-il encore se rétracter ?"),
  date: date.nullable().describe("Date de la rétractation, s'il y en a une"),
  items: z.string().nullable().describe("Articles concernés ; vide pour tous"),
});

export type WithdrawalState = z.output<typeof withdrawalState>;

/** The response to a withdrawal. */
export const recordedWithdrawal = z.object({
  message: z.string().describe("Phrase à montrer"),
  date: date.describe("Date de la rétractation"),
});

export type RecordedWithdrawal = z.output<typeof recordedWithdrawal>;
