import { tagRoutes } from "@/lib/catalogue/label-routes";

// GET, PUT, DELETE /api/tags/{id} – one tag; administrators see its products
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = tagRoutes.item;
