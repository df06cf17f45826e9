import { z } from "zod";
import type { users } from "@/db/schema/auth";
import { resource } from "@/lib/http/api/resource";
import { eurosFromCents } from "@/lib/money";
import { type ProductType, productClasses } from "@/lib/shop/product-type";

/** The part of a user that other objects show. */
export type Person = Pick<typeof users.$inferSelect, "id" | "firstName" | "lastName" | "email">;

export const personSchema = z.object({
  id: z.int().describe("Identifiant"),
  name: z.string().describe("Nom"),
  lastname: z.string().describe("Prénom"),
  email: z.string().describe("Adresse e-mail"),
});

/** The part of a user that other objects embed; lib/account/admin-resource.ts has the whole user. */
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

/** The part of an order that other objects embed. */
export const orderRefSchema = z.object({
  id: z.int().describe("Identifiant"),
  number: z.string().describe("Numéro, comme CMD-2026-000001"),
});

/** A product as carts and orders show it. */
interface ListedProduct {
  /** Null once the product was deleted. */
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

/** A line of a cart or an order. */
export interface ListedItem {
  id: number;
  quantity: number;
  product: ListedProduct;
}

/** The API resource for the lines of carts or of orders. */
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

/** All lines in one cell of a CSV file. */
export const itemsText = (items: readonly { quantity: number; product: { name: string } }[]) =>
  items.map(({ product, quantity }) => `${quantity} × ${product.name}`).join(", ");
