import { z } from "zod";
import { WITHDRAWAL_STATES } from "@/db/schema/withdrawals";
import { dateRange, listFields, sortable } from "@/lib/backoffice/list-query";
import { queryChoice, queryId } from "@/lib/http/api/query";
import { textField } from "@/lib/text/text-field";
import { REFUSAL_REASON_LENGTH } from "./rules";
import { REASON_REQUIRED } from "./texts";

/** The query of GET /api/withdrawals. */
export const withdrawalListQuery = z.object({
  ...listFields,
  ...dateRange,
  user: queryId("users", { description: "Client" }).optional(),
  state: queryChoice(WITHDRAWAL_STATES, { description: "État" }).optional(),
  ...sortable("id", "receivedAt", "refundBy"),
});

/**
 * The body of PUT /api/withdrawals/{id}: the outcome of a withdrawal. A refund made in the shop settles the
 * withdrawal without this call.
 */
export const withdrawalChange = z
  .object({
    state: z.enum(WITHDRAWAL_STATES).exclude(["received"]).describe("Remboursée ou refusée"),
    reason: textField({
      description: "Motif d'un refus, envoyé à l'acheteur",
      maxLength: REFUSAL_REASON_LENGTH,
    }).default(""),
  })
  .superRefine(({ state, reason }, context) => {
    if (state === "refused" && reason === "")
      context.addIssue({ code: "custom", path: ["reason"], message: REASON_REQUIRED });
  });

export type WithdrawalChange = z.output<typeof withdrawalChange>;
