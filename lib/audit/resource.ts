import { z } from "zod";
import { changesBetween } from "@/lib/audit/rules";
import { isoDateTime } from "@/lib/dates";
import { resource } from "@/lib/http/api/resource";
import type { HistoryRow } from "./queries";

const personSchema = z.object({
  id: z.int().describe("Identifiant"),
  name: z.string().describe("Nom"),
  lastname: z.string().describe("Prénom"),
});

const changeSchema = z.object({
  field: z.string().describe("Le champ, sous son nom dans l'API"),
  before: z.unknown().describe("Sa valeur avant, null s'il n'y en avait pas"),
  after: z.unknown().describe("Sa valeur après, null s'il n'y en a plus"),
});

export const historyResource = resource({
  name: "HistoryEntry",
  path: null,
  description: "Ce qu'un administrateur a fait d'un objet",
  schema: z.object({
    id: z.int().describe("Identifiant"),
    entity: z
      .string()
      .describe("La sorte d'objet : l'historique d'une commande comprend ses remboursements"),
    action: z.enum(["create", "update", "delete"]).describe("Création, modification, suppression"),
    date: z.string().describe("Date, ISO 8601"),
    user: personSchema.nullable().describe("Qui l'a fait ; null si son compte a été effacé"),
    changes: z.array(changeSchema).describe("Les champs qui ont changé"),
  }),
  toJson: ({ id, entity, action, createdAt, actor, before, after }: HistoryRow) => ({
    id,
    entity,
    action,
    date: isoDateTime(createdAt),
    user: actor && { id: actor.id, name: actor.lastName, lastname: actor.firstName },
    changes: changesBetween({ before, after }),
  }),
});
