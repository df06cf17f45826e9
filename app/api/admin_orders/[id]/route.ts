import { itemHandlers } from "@/lib/backoffice/routes";
import { methods } from "@/lib/http/api/route";
import { adminOrders } from "@/lib/orders/admin";
import { deleteOrder, updateOrder } from "@/lib/orders/admin-changes";
import { adminOrderChange } from "@/lib/orders/admin-schemas";

// GET, PUT, DELETE /api/admin_orders/{id} – any order
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods(
  itemHandlers(
    { ...adminOrders, change: adminOrderChange, update: updateOrder, remove: deleteOrder },
    {
      read: "Lire une commande, en tant qu'administrateur",
      update: "Modifier une commande",
      remove: {
        summary: "Supprimer une commande",
        description: "Sa facture reste. Refusé tant qu'un remboursement est en cours.",
        refusals: [409],
      },
    },
  ),
);
