import { digitalRoutes } from "@/lib/catalogue/kind-routes";

// GET /api/digital_products – the digital products, page by page
// POST /api/digital_products – adds a digital product
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = digitalRoutes.collection;
