import { adminItem } from "@/lib/http/api/admin";
import { methods } from "@/lib/http/api/route";
import { adminWithdrawals, settleWithdrawal } from "@/lib/withdrawals/admin";
import { withdrawalResource } from "@/lib/withdrawals/admin-resource";
import { withdrawalChange } from "@/lib/withdrawals/admin-schemas";

// GET, PUT /api/withdrawals/{id} – one withdrawal; PUT settles it
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: adminItem({
    summary: "Lire une rétractation",
    run: adminWithdrawals.one,
    reply: withdrawalResource,
  }),
  PUT: adminItem({
    summary: "Refuser une rétractation, ou dire qu'elle a été remboursée autrement",
    description:
      "L'acheteur reçoit le motif d'un refus par e-mail. Un remboursement fait par la boutique règle la rétractation de lui-même.",
    body: withdrawalChange,
    run: settleWithdrawal,
    reply: withdrawalResource,
  }),
});
