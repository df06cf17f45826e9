import { message } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";
import { networkOf } from "@/lib/http/server/network";
import { cancelStockAlert } from "@/lib/stock-alerts/mutations";
import { alertLinkInput } from "@/lib/stock-alerts/schemas";
import { CANCELLED } from "@/lib/stock-alerts/texts";

// POST /api/stock_alerts/cancel – deletes a stock alert by the mailed link; succeeds if it is already deleted
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  POST: route({
    access: "public",
    summary: "Annuler une alerte de disponibilité",
    body: alertLinkInput,
    refusals: [429],
    run: async ({ body: { token }, request }) => {
      await cancelStockAlert({ token, network: networkOf(request) });
      return { message: CANCELLED };
    },
    reply: message(),
  }),
});
