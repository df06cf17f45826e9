import { digitalRoutes } from "@/lib/catalogue/kind-routes";

// GET, PUT, DELETE /api/digital_products/{id} – one digital product; PUT also turns a physical product into one
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = digitalRoutes.item;
