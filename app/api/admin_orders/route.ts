import { collectionHandlers } from "@/lib/backoffice/routes";
import { methods } from "@/lib/http/api/route";
import { adminOrders } from "@/lib/orders/admin";
import { createOrderByHand } from "@/lib/orders/admin-changes";
import { adminOrderInput } from "@/lib/orders/admin-schemas";

// GET /api/admin_orders – everybody's orders, page by page
// POST /api/admin_orders – an order written by hand
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods(
  collectionHandlers(
    { ...adminOrders, input: adminOrderInput, create: createOrderByHand },
    { list: "Lister les commandes de tous", create: "Ajouter une commande" },
  ),
);
