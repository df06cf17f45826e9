import { json } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";
import { networkOf } from "@/lib/http/server/network";
import { confirmStockAlert } from "@/lib/stock-alerts/mutations";
import { alertLinkInput, confirmationAnswer } from "@/lib/stock-alerts/schemas";
import { CONFIRMED, LINK_ENDED } from "@/lib/stock-alerts/texts";

// POST /api/stock_alerts/confirm – confirms a stock alert by the mailed link
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  POST: route({
    access: "public",
    summary: "Confirmer une alerte de disponibilité",
    body: alertLinkInput,
    refusals: [429],
    run: async ({ body: { token }, request }) => {
      const alert = await confirmStockAlert({ token, network: networkOf(request) });
      return alert
        ? { valid: true, message: CONFIRMED, product: alert.product }
        : { valid: false, message: LINK_ENDED, product: null };
    },
    reply: json(confirmationAnswer, { noStore: true }),
  }),
});
