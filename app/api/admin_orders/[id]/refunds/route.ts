import { adminItem } from "@/lib/http/api/admin";
import { idParams } from "@/lib/http/api/ids";
import { json } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";
import { getOrderRefunds } from "@/lib/refunds/queries";
import { createRefund, requireKey } from "@/lib/refunds/record";
import { orderRefundsJson, orderRefundsSchema, refundResource } from "@/lib/refunds/resource";
import { refundInput } from "@/lib/refunds/schemas";

// GET /api/admin_orders/{id}/refunds – the refunds of an order, and what may still be given back
// POST /api/admin_orders/{id}/refunds – gives back pieces, the shipping or an amount
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: adminItem({
    summary: "Lire les remboursements d'une commande, et ce qui peut encore être rendu",
    run: async ({ id }) => orderRefundsJson(await getOrderRefunds(id)),
    reply: json(orderRefundsSchema),
  }),
  POST: route({
    access: "admin",
    summary: "Rembourser une commande, en tout ou en partie",
    params: idParams,
    headers: {
      "Idempotency-Key": "La même valeur donne la même réponse, sans second remboursement",
    },
    body: refundInput,
    refusals: [409],
    run: ({ user, params, body, request }) =>
      createRefund({ actor: user, orderId: params.id, key: requireKey(request), input: body }),
    reply: refundResource,
  }),
});
