import { z } from "zod";
import { resource } from "@/lib/http/resource";

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
