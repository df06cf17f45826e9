import { z } from "zod";
import { eurosFromCents } from "@/lib/money";
import type { Dashboard } from "./queries";
import { MAX_WAITING } from "./rules";
import { PERIOD_NAMES } from "./schemas";

const orders = z.int().describe("Nombre de commandes");
const total = z.number().describe("Somme de leurs montants en euros");
const user = z.object({
  id: z.int().describe("Identifiant"),
  name: z.string().describe("Nom"),
  lastname: z.string().describe("Prénom"),
});
const product = z.object({
  id: z.int().describe("Identifiant"),
  name: z.string().describe("Nom"),
});

const waiting = (what: string) =>
  z.int().describe(`${what}, comptés jusqu'à ${MAX_WAITING} ; ${MAX_WAITING + 1} s'il y en a plus`);

/** The answer of GET /api/admin/dashboard. */
export const dashboardAnswer = z.object({
  waiting: z.object({
    toPrepare: waiting("Commandes à préparer"),
    toShip: waiting("Commandes à expédier"),
    withdrawals: waiting("Rétractations à régler"),
    refundBy: z
      .string()
      .nullable()
      .describe("Dernier jour pour rembourser la plus pressante, ISO 8601"),
    lowStock: waiting("Produits dont le stock est bas"),
    soldOut: waiting("Produits épuisés"),
    withoutWeight: waiting(
      "Produits physiques sans poids, si un mode de livraison actif en dépend",
    ),
    failedRefunds: waiting("Commandes dont un remboursement a échoué"),
    disputes: waiting("Commandes dont le paiement est contesté"),
  }),
  today: z.object({
    orders,
    total,
    newCustomers: z.int().describe("Comptes ouverts aujourd'hui, sans ceux des administrateurs"),
    reviewsPending: z.int().describe("Avis en attente, de quelque jour qu'ils soient"),
  }),
  period: z.object({
    name: z.enum(PERIOD_NAMES).describe("La période demandée"),
    orders,
    total,
    averageBasket: z.number().describe("Montant moyen d'une commande en euros"),
  }),
  latestOrders: z.array(
    z.object({
      id: z.int(),
      number: z.string(),
      date: z.string(),
      total: z.number(),
      user: user.nullable().describe("Client ; null si son compte a été effacé"),
      buyer: user.omit({ id: true }).describe("Le client tel qu'il était en commandant"),
    }),
  ),
  pendingReviews: z.array(
    z.object({
      id: z.int(),
      rating: z.int(),
      content: z.string(),
      date: z.string(),
      product,
      user,
    }),
  ),
  productsWithoutImage: z.object({
    total: z.int().describe("Nombre de produits sans image"),
    items: z.array(product),
  }),
  failedMails: z.object({
    total: z
      .int()
      .describe("E-mails abandonnés : refusés par le fournisseur, ou essayés trop longtemps"),
    items: z.array(
      z.object({
        id: z.int(),
        title: z.string().describe("Ce que dit l'e-mail, par exemple « Confirmation de commande »"),
        recipient: z.string().describe("Son destinataire"),
        date: z.string().describe("Quand il a été écrit, ISO 8601"),
        reason: z.string().describe("La dernière réponse du fournisseur"),
      }),
    ),
  }),
  sellerIsKnown: z.boolean().describe("Les factures nomment-elles le vendeur ?"),
  missingToSell: z
    .array(z.string())
    .describe("Ce qui manque pour vendre : avec une clé réelle de Stripe, le paiement est refusé"),
  termsAreKnown: z.boolean().describe("Les conditions générales de vente sont-elles publiées ?"),
});

export function dashboardJson({
  today: { totalCents: todayCents, ...today },
  period: { totalCents, ...period },
  latestOrders,
  ...rest
}: Dashboard): z.input<typeof dashboardAnswer> {
  const averageCents = period.orders === 0 ? 0 : Math.round(totalCents / period.orders);
  return {
    today: { ...today, total: eurosFromCents(todayCents) },
    period: {
      ...period,
      total: eurosFromCents(totalCents),
      averageBasket: eurosFromCents(averageCents),
    },
    latestOrders: latestOrders.map(({ totalCents: cents, ...order }) => ({
      ...order,
      total: eurosFromCents(cents),
    })),
    ...rest,
  };
}
