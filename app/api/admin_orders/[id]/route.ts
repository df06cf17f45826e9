import { methods } from "@/lib/http/api/route";
import { staffDelete, staffRead, staffUpdate } from "@/lib/http/api/staff";
import { requireAnyOrder } from "@/lib/orders/admin";
import { deleteOrder, updateOrder } from "@/lib/orders/admin-changes";
import { adminOrderResource } from "@/lib/orders/admin-resource";
import { adminOrderChange } from "@/lib/orders/admin-schemas";

// GET, PUT, DELETE /api/admin_orders/{id} – any order
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: staffRead({
    summary: "Lire une commande, en tant qu'administrateur",
    run: requireAnyOrder,
    reply: adminOrderResource,
  }),
  PUT: staffUpdate({
    summary: "Modifier une commande",
    body: adminOrderChange,
    run: updateOrder,
    reply: adminOrderResource,
  }),
  DELETE: staffDelete({
    summary: "Supprimer une commande",
    description: "Sa facture reste. Refusé tant qu'un remboursement est en cours.",
    refusals: [409],
    run: deleteOrder,
  }),
});
