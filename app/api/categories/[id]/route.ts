import { categoryRoutes } from "@/lib/catalogue/label-routes";

// GET, PUT, DELETE /api/categories/{id} – one category; administrators see its products
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = categoryRoutes.item;
