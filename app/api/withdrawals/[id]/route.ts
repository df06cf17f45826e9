import { idParams } from "@/lib/http/api/ids";
import { methods, route } from "@/lib/http/api/route";
import { requireWithdrawal, settleWithdrawal } from "@/lib/withdrawals/admin";
import { withdrawalResource } from "@/lib/withdrawals/admin-resource";
import { withdrawalChange } from "@/lib/withdrawals/admin-schemas";

// GET, PUT /api/withdrawals/{id} – one withdrawal, and what became of it
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "admin",
    summary: "Lire une rétractation",
    params: idParams,
    run: ({ params }) => requireWithdrawal({ id: params.id }),
    reply: withdrawalResource,
  }),
  PUT: route({
    access: "admin",
    summary: "Refuser une rétractation, ou dire qu'elle a été remboursée autrement",
    description:
      "L'acheteur reçoit le motif d'un refus par e-mail. Un remboursement fait par la boutique règle la rétractation de lui-même.",
    params: idParams,
    body: withdrawalChange,
    refusals: [409],
    run: ({ user, params, body }) => settleWithdrawal({ actor: user, id: params.id, input: body }),
    reply: withdrawalResource,
  }),
});
