import { exportProducts, listAdminProducts } from "@/lib/catalogue/admin";
import { createProduct } from "@/lib/catalogue/admin-changes";
import { digitalProductResource } from "@/lib/catalogue/admin-resource";
import {
  adminProductQuery,
  digitalProductInput,
  PRODUCT_BODY_LIMIT,
} from "@/lib/catalogue/admin-schemas";
import { collectionOf } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";

// GET /api/digital_products – the digital products, page by page
// POST /api/digital_products – adds a digital product
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "admin",
    summary: "Lister les produits numériques",
    query: adminProductQuery,
    run: ({ query }) => listAdminProducts({ ...query, type: "digital" }),
    csv: ({ query }) => exportProducts({ ...query, type: "digital" }),
    reply: collectionOf(digitalProductResource),
  }),
  POST: route({
    access: "admin",
    summary: "Ajouter un produit numérique",
    body: digitalProductInput,
    bodyLimit: PRODUCT_BODY_LIMIT,
    run: ({ user, body }) => createProduct({ actor: user, type: "digital", input: body }),
    reply: digitalProductResource,
  }),
});
