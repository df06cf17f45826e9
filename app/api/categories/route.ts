import { categoryRoutes } from "@/lib/catalogue/label-routes";

// GET /api/categories – all categories, by name; administrators see their products
// POST /api/categories – adds a category
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = categoryRoutes.collection;
