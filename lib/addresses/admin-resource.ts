import { z } from "zod";
import { personResource, personSchema } from "@/lib/backoffice/resource";
import { resource } from "@/lib/http/api/resource";
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
