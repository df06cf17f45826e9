import { idParams } from "@/lib/http/api/ids";
import { json } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";
import { isAdmin } from "@/lib/roles";
import { withdraw } from "@/lib/withdrawals/mutations";
import { getWithdrawalState } from "@/lib/withdrawals/queries";
import { recordedWithdrawal, withdrawalInput, withdrawalState } from "@/lib/withdrawals/schemas";

// GET, POST /api/orders/{id}/withdrawal – the buyer's right of withdrawal
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "user",
    summary: "Savoir si une commande a été rétractée, et si elle peut l'être",
    params: idParams,
    run: ({ user, params }) =>
      getWithdrawalState({ orderId: params.id, userId: isAdmin(user) ? undefined : user.id }),
    reply: json(withdrawalState, { noStore: true }),
  }),
  POST: route({
    access: "user",
    summary: "Se rétracter de sa commande",
    description:
      "Vaut pour les objets de la commande, une seule fois. L'acheteur et la boutique reçoivent un e-mail.",
    params: idParams,
    body: withdrawalInput,
    refusals: [409],
    run: ({ user, params, body: { items } }) =>
      withdraw({ userId: user.id, orderId: params.id, items }),
    reply: json(recordedWithdrawal, { status: 201 }),
  }),
});
