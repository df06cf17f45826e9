import { z } from "zod";

export const health = z.object({ status: z.literal("ok") });

export const readiness = z.object({
  status: z.enum(["ready", "draining", "unavailable"]).meta({
    description:
      "« ready » : des visiteurs peuvent être envoyés ici ; « draining » : l'instance s'arrête ; « unavailable » : la base ne répond pas, ou des migrations manquent",
  }),
  database: z.enum(["reachable", "unreachable"]),
  pendingMigrations: z.int().nullable().meta({
    description: "Migrations de cette version que la base n'a pas ; null quand elle ne répond pas",
  }),
  overdue: z
    .object({
      mailSeconds: z.int().meta({ description: "Attente du plus ancien e-mail à envoyer" }),
      checkoutSeconds: z
        .int()
        .meta({ description: "Retard du paiement à vérifier ou à clore le plus en retard" }),
      refundSeconds: z.int().meta({
        description:
          "Attente du plus ancien paiement à rendre ou à annuler, ou remboursement à envoyer",
      }),
    })
    .nullable()
    .meta({
      description: "Travail en attente, en secondes ; 0 quand rien n'est en retard",
    }),
});

export type Readiness = z.output<typeof readiness>;
