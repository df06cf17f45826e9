import { tagRoutes } from "@/lib/catalogue/label-routes";

// GET /api/tags – all tags, by name; administrators see their products
// POST /api/tags – adds a tag
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = tagRoutes.collection;
