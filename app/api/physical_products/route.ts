import { exportProducts, listAdminProducts } from "@/lib/catalogue/admin";
import { createProduct } from "@/lib/catalogue/admin-changes";
import { physicalProductResource } from "@/lib/catalogue/admin-resource";
import {
  adminProductQuery,
  PRODUCT_BODY_LIMIT,
  physicalProductInput,
} from "@/lib/catalogue/admin-schemas";
import { collectionOf } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";

// GET /api/physical_products – the physical products, page by page
// POST /api/physical_products – adds a physical product
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "admin",
    summary: "Lister les produits physiques",
    query: adminProductQuery,
    run: ({ query }) => listAdminProducts({ ...query, type: "physical" }),
    csv: ({ query }) => exportProducts({ ...query, type: "physical" }),
    reply: collectionOf(physicalProductResource),
  }),
  POST: route({
    access: "admin",
    summary: "Ajouter un produit physique",
    body: physicalProductInput,
    bodyLimit: PRODUCT_BODY_LIMIT,
    run: ({ user, body }) => createProduct({ actor: user, type: "physical", input: body }),
    reply: physicalProductResource,
  }),
});
