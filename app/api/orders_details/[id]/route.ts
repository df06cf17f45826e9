import * as order from "@/app/api/orders/[id]/route";
import { endpoint } from "@/lib/http/api/route";

// GET /api/orders_details/{id} – the same as /api/orders/{id}
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint(
  "/api/orders_details/{id}",
  order,
);
