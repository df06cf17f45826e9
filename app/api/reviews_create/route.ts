import { methods, route } from "@/lib/http/api/route";
import { createReview } from "@/lib/reviews/mutations";
import { viewerOf } from "@/lib/reviews/queries";
import { reviewResource } from "@/lib/reviews/resource";
import { reviewInput } from "@/lib/reviews/schemas";

// POST /api/reviews_create – a buyer's review, to be moderated
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  POST: route({
    access: "user",
    summary: "Donner son avis sur un produit acheté",
    body: reviewInput,
    refusals: [403, 404, 409],
    run: ({ user, body: { product, ...fields } }) =>
      createReview({ viewer: viewerOf(user), productId: product, ...fields }),
    reply: reviewResource,
  }),
});
