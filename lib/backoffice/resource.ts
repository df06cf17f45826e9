import { z } from "zod";
import { resource } from "@/lib/http/resource";
import { eurosFromCents } from "@/lib/money";

/** A person as other objects show them. */
export interface Person {
  id: number;
  firstName: string;
  lastName: string;
  email: string;
}

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

/** A product as carts and orders show it. */
export interface ListedProduct {
  /** Null once the product has left the shop. */
  id: number | null;
  type: "physical" | "digital";
  name: string;
  description: string | null;
  priceCents: number;
  image: string | null;
}

export const listedProductSchema = z.object({
  id: z.int().nullable().describe("Identifiant, null si le produit n'est plus en vente"),
  name: z.string().describe("Nom"),
  description: z.string().nullable().describe("Description, si le produit est encore en vente"),
  price: z.number().describe("Prix d'une pièce en euros, TVA comprise"),
  image: z.string().nullable().describe("Nom de fichier sous /images, chemin ou adresse http(s)"),
  productType: z.enum(["physical", "digital"]).describe("Physique ou numérique"),
});

export const listedProductResource = resource({
  name: "ListedProduct",
  path: null,
  description: "Un produit tel que paniers et commandes le montrent",
  schema: listedProductSchema,
  subclasses: ["PhysicalProduct", "DigitalProduct"],
  typeOf: ({ productType }) => (productType === "digital" ? "DigitalProduct" : "PhysicalProduct"),
  toJson: ({ id, type, name, description, priceCents, image }: ListedProduct) => ({
    id,
    name,
    description,
    price: eurosFromCents(priceCents),
    image,
    productType: type,
  }),
});
