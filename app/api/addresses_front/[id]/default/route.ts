import { setDefaultAddress } from "@/lib/addresses/mutations";
import { ADDRESS_DEFAULT_SET } from "@/lib/addresses/texts";
import { idParams } from "@/lib/http/api/ids";
import { message } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";

// PUT /api/addresses_front/{id}/default – makes an address the default shipping address
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  PUT: route({
    access: "user",
    summary: "Choisir son adresse de livraison par défaut",
    params: idParams,
    errorsMap: true,
    refusals: [422],
    run: async ({ user, params }) => {
      await setDefaultAddress({ userId: user.id, id: params.id, kind: "shipping" });
      return { message: ADDRESS_DEFAULT_SET };
    },
    reply: message(),
  }),
});
