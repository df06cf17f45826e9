import { z } from "zod";
import type { shopSettings } from "@/db/schema/settings";
import { resource } from "@/lib/http/api/resource";

/** The seller is a single row. */
export const SELLER_ID = 1;

/** Version 0 until the seller is entered. */
export type Seller = Omit<typeof shopSettings.$inferSelect, "updatedAt">;

/** The seller for administrators. */
export const sellerResource = resource({
  name: "Seller",
  path: null,
  description:
    "Le vendeur, tel que les factures et les mentions légales le nomment, et ses conditions de vente",
  schema: z.object({
    id: z.int().describe("Identifiant"),
    legalName: z.string().describe("Raison sociale ; vide tant que le vendeur n'est pas renseigné"),
    address: z.string().describe("Adresse du siège, ligne par ligne"),
    siren: z.string().describe("SIREN"),
    vatNumber: z.string().describe("Numéro de TVA intracommunautaire, facultatif en franchise"),
    vatExempt: z.boolean().describe("Franchise en base de TVA (CGI, art. 293 B)"),
    email: z.string().describe("Adresse e-mail"),
    phone: z.string().describe("Téléphone, pour les mentions légales"),
    publisher: z.string().describe("Directeur de la publication, pour les mentions légales"),
    host: z.string().describe("Hébergeur, ligne par ligne, pour les mentions légales"),
    terms: z
      .string()
      .describe("Conditions générales de vente ; « # » devant un titre, « - » devant un point"),
    version: z.int().describe("Version, augmentée par chaque modification"),
  }),
  toJson: ({ address, isVatExempt, ...seller }: Seller) => ({
    ...seller,
    address: address.join("\n"),
    vatExempt: isVatExempt,
  }),
});
