// GET /api/orders_details/{id} – the same as /api/orders/{id}
export { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } from "@/app/api/orders/[id]/route";
