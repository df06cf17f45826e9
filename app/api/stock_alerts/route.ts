import { message } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";
import { networkOf } from "@/lib/http/server/network";
import { requestStockAlert } from "@/lib/stock-alerts/mutations";
import { stockAlertInput } from "@/lib/stock-alerts/schemas";
import { CHECK_MAILBOX } from "@/lib/stock-alerts/texts";

// POST /api/stock_alerts – asks for a mail when a product is back; never tells whether the address has asked before
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  POST: route({
    access: "public",
    summary: "Demander à être prévenu du retour d'un produit épuisé",
    description:
      "Un lien envoyé à l'adresse confirme la demande ; un seul message suit, puis l'adresse est effacée.",
    body: stockAlertInput,
    errorsMap: true,
    refusals: [404, 429],
    run: async ({ body, request }) => {
      await requestStockAlert({ ...body, network: networkOf(request) });
      return { message: CHECK_MAILBOX };
    },
    reply: message({ status: 202 }),
  }),
});
