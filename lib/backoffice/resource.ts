import { z } from "zod";
import type { users } from "@/db/schema/auth";
import type { CsvColumn } from "@/lib/http/api/csv";
import { resource } from "@/lib/http/api/resource";
import { eurosFromCents } from "@/lib/money";
import { type ProductType, productClasses } from "@/lib/product-type";

/** A person as other objects show them. */
export type Person = Pick<typeof users.$inferSelect, "id" | "firstName" | "lastName" | "email">;

export const personSchema = z.object({
  id: z.int().describe("Identifiant"),
  name: z.string().describe("Nom"),
  lastname: z.string().describe("Prénom"),
  email: z.string().describe("Adresse e-mail"),
});

/** The part of a user that stands in other objects; all of it is lib/account/admin-resource.ts. */
export const personResource = resource({
  name: "User",
  path: "/api/users",
  description: "Un utilisateur",
  schema: personSchema,
  toJson: ({ id, firstName, lastName, email }: Person) => ({
    id,
    name: lastName,
    lastname: firstName,
    email,
  }),
});

/** An order as other objects name it. */
export const orderRefSchema = z.object({
  id: z.int().describe("Identifiant"),
  number: z.string().describe("Numéro, comme CMD-2026-000001"),
});

/** A product as carts and orders show it. */
interface ListedProduct {
  /** Null once the product has left the shop. */
  id: number | null;
  type: ProductType;
  name: string;
  description: string | null;
  priceCents: number;
  image: string | null;
}

const listedProductSchema = z.object({
  id: z.int().nullable().describe("Identifiant, null si le produit n'est plus en vente"),
  name: z.string().describe("Nom"),
  description: z.string().nullable().describe("Description, si le produit est encore en vente"),
  price: z.number().describe("Prix d'une pièce en euros, TVA comprise"),
  image: z.string().nullable().describe("Nom de fichier sous /images, chemin ou adresse http(s)"),
  productType: z.enum(["physical", "digital"]).describe("Physique ou numérique"),
});

const listedProductResource = resource({
  name: "ListedProduct",
  path: null,
  description: "Un produit tel que paniers et commandes le montrent",
  schema: listedProductSchema,
  ...productClasses,
  toJson: ({ id, type, name, description, priceCents, image }: ListedProduct) => ({
    id,
    name,
    description,
    price: eurosFromCents(priceCents),
    image,
    productType: type,
  }),
});

/** So many pieces of a product: a line of a cart or an order. */
export interface ListedItem {
  id: number;
  quantity: number;
  product: ListedProduct;
}

/** The lines of carts or of orders, under the name that the API has for them. */
export const itemResource = (texts: { name: string; description: string; product: string }) =>
  resource({
    name: texts.name,
    path: null,
    description: texts.description,
    schema: z.object({
      id: z.int().describe("Identifiant"),
      product: listedProductSchema.describe(texts.product),
      quantity: z.int().describe("Nombre de pièces"),
    }),
    embedded: () => ({ product: listedProductResource }),
    toJson: ({ id, product, quantity }: ListedItem) => ({
      id,
      product: listedProductResource.toJson(product),
      quantity,
    }),
  });

/** Lines in one cell of a table for spreadsheets. */
export const itemsColumn = <Json>(
  itemsOf: (json: Json) => readonly { quantity: number; product: { name: string } }[],
): CsvColumn<Json> => ({
  head: "Articles",
  value: (json) =>
    itemsOf(json)
      .map(({ product, quantity }) => `${quantity} × ${product.name}`)
      .join(", "),
});
