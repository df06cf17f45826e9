import { z } from "zod";
import { idParams } from "@/lib/http/api/ids";
import { json } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";
import { getPurchaseDate } from "@/lib/reviews/queries";

const answer = z.object({ hasPurchased: z.boolean().meta({ description: "L'a acheté" }) });

// GET /api/check-purchase/{id} – says whether the customer has bought this product
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "user",
    summary: "Savoir si l'on a acheté un produit",
    params: idParams,
    run: async ({ user, params }) => {
      const date = await getPurchaseDate({ userId: user.id, productId: params.id });
      return { hasPurchased: date !== null };
    },
    reply: json(answer),
  }),
});
