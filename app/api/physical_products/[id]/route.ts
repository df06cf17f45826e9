import { physicalRoutes } from "@/lib/catalogue/kind-routes";

// GET, PUT, DELETE /api/physical_products/{id} – one physical product; PUT also turns a digital product into one
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = physicalRoutes.item;
