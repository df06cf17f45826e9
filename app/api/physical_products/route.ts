import { physicalRoutes } from "@/lib/catalogue/kind-routes";

// GET /api/physical_products – the physical products, page by page
// POST /api/physical_products – adds a physical product
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = physicalRoutes.collection;
