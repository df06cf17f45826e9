import { z } from "zod";
import { comparePayments } from "@/lib/checkout/recovery";
import { json } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";

const query = z.object({
  since: z.iso
    .datetime({ offset: true })
    .meta({ description: "Date de la sauvegarde restaurée, comme 2026-11-20T03:00:00Z" }),
});

const report = z.object({
  paid: z.int().meta({ description: "Paiements encaissés depuis, et non remboursés" }),
  ordered: z.int().meta({ description: "Ceux d'une commande" }),
  open: z.int().meta({ description: "Ceux d'un paiement en cours, qui deviendra une commande" }),
  lost: z
    .array(
      z.object({
        payment: z.string(),
        amountCents: z.int().meta({ description: "Centimes" }),
        paidAt: z.iso.datetime(),
      }),
    )
    .meta({ description: "Ceux dont la boutique ne sait rien" }),
  settled: z
    .object({ cancelled: z.int(), refunded: z.int(), postponed: z.int() })
    .nullable()
    .meta({ description: "Ce qui a été défait ; null pour une simple lecture" }),
});

const reply = json(report, { noStore: true });

// GET, POST /api/cron/payments – compares payments with orders; POST refunds payments without an order
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "cron",
    summary: "Comparer les paiements encaissés avec les commandes",
    description: "Après la restauration d'une sauvegarde. Ne change rien.",
    query,
    refusals: [503],
    run: ({ query: { since } }) => comparePayments({ since: new Date(since) }),
    reply,
  }),
  POST: route({
    access: "cron",
    summary: "Rembourser les paiements dont la boutique ne sait rien",
    description: "Ceux d'un paiement en cours deviennent des commandes. Peut être répété.",
    query,
    refusals: [503],
    run: ({ query: { since } }) => comparePayments({ since: new Date(since), isRefunding: true }),
    reply,
  }),
});
