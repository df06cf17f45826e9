import type { z } from "zod";
import type { Creation, Update } from "@/lib/audit/mutations";
import { collectionHandlers, itemHandlers } from "@/lib/backoffice/routes";
import { methods } from "@/lib/http/api/route";
import type { ProductType } from "@/lib/shop/product-type";
import {
  type AdminProductRow,
  exportProducts,
  listAdminProducts,
  requireAdminProduct,
} from "./admin";
import { createProduct, deleteProduct, updateProduct } from "./admin-changes";
import { digitalProductResource, physicalProductResource } from "./admin-resource";
import {
  adminProductQuery,
  digitalProductChange,
  digitalProductInput,
  PRODUCT_BODY_LIMIT,
  physicalProductChange,
  physicalProductInput,
} from "./admin-schemas";

/** Both paths of the products of one kind. A change of the other kind's product turns it into one of this. */
function kindRoutes<I extends z.ZodType, C extends z.ZodType>({
  type,
  adjective,
  ...kind
}: {
  type: ProductType;
  adjective: string;
  resource: typeof physicalProductResource;
  input: I;
  change: C;
  create: (creation: Creation<z.output<I>>) => Promise<AdminProductRow>;
  update: (change: Update<z.output<C>>) => Promise<AdminProductRow>;
}) {
  const products = {
    ...kind,
    query: adminProductQuery,
    page: (query: z.output<typeof adminProductQuery>) => listAdminProducts({ ...query, type }),
    table: (query: z.output<typeof adminProductQuery>) => exportProducts({ ...query, type }),
    one: ({ id }: { id: number }) => requireAdminProduct({ id, type }),
    remove: (act: Parameters<typeof deleteProduct>[0]) => deleteProduct({ ...act, type }),
  };
  const one = `un produit ${adjective}`;
  return {
    collection: methods(
      collectionHandlers(products, {
        list: `Lister les produits ${adjective}s`,
        create: { summary: `Ajouter ${one}`, bodyLimit: PRODUCT_BODY_LIMIT },
      }),
    ),
    item: methods(
      itemHandlers(products, {
        read: `Lire ${one}`,
        update: {
          summary: `Modifier ${one}`,
          description:
            "Un produit de l'autre sorte en devient un de celle-ci, sans les champs de l'autre.",
          bodyLimit: PRODUCT_BODY_LIMIT,
        },
        remove: `Supprimer ${one}`,
      }),
    ),
  };
}

export const physicalRoutes = kindRoutes({
  type: "physical",
  adjective: "physique",
  resource: physicalProductResource,
  input: physicalProductInput,
  change: physicalProductChange,
  create: (creation) => createProduct({ ...creation, type: "physical" }),
  update: (change) => updateProduct({ ...change, type: "physical" }),
});

export const digitalRoutes = kindRoutes({
  type: "digital",
  adjective: "numérique",
  resource: digitalProductResource,
  input: digitalProductInput,
  change: digitalProductChange,
  create: (creation) => createProduct({ ...creation, type: "digital" }),
  update: (change) => updateProduct({ ...change, type: "digital" }),
});
