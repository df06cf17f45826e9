import { type AdminProductPage, exportProducts, listAdminProducts } from "@/lib/catalogue/admin";
import { createProduct } from "@/lib/catalogue/admin-changes";
import { adminProductResource } from "@/lib/catalogue/admin-resource";
import { adminProductQuery, PRODUCT_BODY_LIMIT } from "@/lib/catalogue/admin-schemas";
import { productInput } from "@/lib/catalogue/either-kind-schemas";
import { listProducts, type ProductPage } from "@/lib/catalogue/queries";
import { productResource } from "@/lib/catalogue/resource";
import { productQuery, viewOfQuery } from "@/lib/catalogue/schemas";
import { collectionOf } from "@/lib/http/api/reply";
import { methods, route, viewOf } from "@/lib/http/api/route";
import { CACHE_TAGS } from "@/lib/http/cache/cache-tags";

/** A header that says that nothing matched the text exactly. */
const searchHeaders = ({ approximate }: { approximate: boolean }): Record<string, string> =>
  approximate ? { "Search-Approximate": "true" } : {};

const headersDoc = { "Search-Approximate": "true : rien ne correspond exactement au texte" };

const summary = "Lister les produits";
const description =
  "Sans résultat exact pour `search`, les produits à une faute de frappe près, avec l'en-tête `Search-Approximate: true`.";

// GET /api/products – the matching products, page by page; administrators see more fields
// POST /api/products – adds a product of the kind in the body
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: viewOf({
    admins: route({
      access: "admin",
      summary,
      description: `${description} Les administrateurs voient aussi le lien de téléchargement, et ont des tris de plus.`,
      query: adminProductQuery,
      run: ({ query }) => listAdminProducts(query),
      csv: ({ query }) => exportProducts(query),
      reply: collectionOf(adminProductResource, {
        headers: (page: AdminProductPage) => searchHeaders(page),
        headersDoc,
      }),
    }),
    others: route({
      access: "public",
      summary,
      description,
      query: productQuery,
      // A free text is rarely searched twice: it must not crowd other responses out of the cache.
      cacheTags: ({ query }) =>
        query.search ? null : [CACHE_TAGS.catalogue, CACHE_TAGS.availability],
      run: ({ query }) => listProducts({ ...viewOfQuery(query), itemsPerPage: query.itemsPerPage }),
      reply: collectionOf(productResource, {
        headers: (page: ProductPage) => searchHeaders(page),
        headersDoc,
      }),
    }),
  }),
  POST: route({
    access: "admin",
    summary: "Ajouter un produit",
    description: "Les champs que sa sorte n'a pas sont ignorés.",
    body: productInput,
    bodyLimit: PRODUCT_BODY_LIMIT,
    run: ({ user, body: { productType: type, ...input } }) =>
      createProduct({ actor: user, type, input }),
    reply: adminProductResource,
  }),
});
