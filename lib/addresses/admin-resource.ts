import { z } from "zod";
import { personResource, personSchema } from "@/lib/backoffice/resource";
import { ADDRESS_TYPE_LABELS } from "@/lib/backoffice/texts";
import type { CsvColumn } from "@/lib/http/api/csv";
import { type JsonOf, resource } from "@/lib/http/api/resource";
import type { AdminAddressRow } from "./admin";
import { addressResource } from "./resource";

/** Anybody's address, as administrators see it. */
export const adminAddressResource = resource({
  name: "Address",
  path: "/api/addresses",
  description: "Une adresse d'un utilisateur, pour les administrateurs",
  schema: addressResource.schema.extend({
    user: personSchema.describe("Utilisateur"),
    version: z.int().describe("Version, augmentée par chaque modification"),
  }),
  embedded: () => ({ user: personResource }),
  toJson: ({ user, version, ...address }: AdminAddressRow) => ({
    ...addressResource.toJson(address),
    user: personResource.toJson(user),
    version,
  }),
});

/** The addresses' table for spreadsheets. */
export const addressColumns: CsvColumn<JsonOf<typeof adminAddressResource>>[] = [
  { head: "ID", value: ({ id }) => id },
  { head: "Rue", value: ({ street }) => street },
  { head: "Ville", value: ({ city }) => city },
  { head: "Code postal", value: ({ postalCode }) => postalCode },
  { head: "Nom", value: ({ user }) => user.name },
  { head: "Prénom", value: ({ user }) => user.lastname },
  { head: "Email", value: ({ user }) => user.email },
  { head: "Type", value: ({ type }) => ADDRESS_TYPE_LABELS[type] },
  { head: "Par défaut", value: ({ isDefault }) => isDefault },
  { head: "Facturation par défaut", value: ({ isDefaultBilling }) => isDefaultBilling },
];
