import { z } from "zod";
import { ADDRESS_TYPES } from "@/lib/addresses/rules";
import { resource } from "@/lib/http/api/resource";
import { givenDetails } from "@/lib/shop/postal-address";
import type { AddressRow } from "./queries";

/** The further lines of an address, missing where they are empty. */
export const addressDetailFields = {
  recipient: z.string().optional().describe("Destinataire"),
  company: z.string().optional().describe("Société"),
  complement: z.string().optional().describe("Complément d'adresse"),
  phone: z.string().optional().describe("Téléphone"),
};

/** An address as its owner sees it; the back office has its own resource, with the user. */
export const addressResource = resource({
  name: "CustomerAddress",
  path: "/api/addresses_front",
  description: "Une adresse du client connecté",
  schema: z.object({
    id: z.int().describe("Identifiant"),
    street: z.string().describe("Rue"),
    city: z.string().describe("Ville"),
    postalCode: z.string().describe("Code postal"),
    ...addressDetailFields,
    type: z.enum(ADDRESS_TYPES).describe("Livraison ou facturation"),
    isDefault: z.boolean().describe("Adresse de livraison par défaut"),
    isDefaultBilling: z.boolean().describe("Adresse de facturation par défaut"),
  }),
  toJson: ({
    id,
    street,
    city,
    postalCode,
    type,
    isDefault,
    isDefaultBilling,
    ...details
  }: AddressRow) => ({
    id,
    street,
    city,
    postalCode,
    ...givenDetails(details),
    type,
    isDefault,
    isDefaultBilling,
  }),
});
