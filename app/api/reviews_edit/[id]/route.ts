import { idParams } from "@/lib/http/api/ids";
import { methods, route } from "@/lib/http/api/route";
import { updateReview } from "@/lib/reviews/mutations";
import { viewerOf } from "@/lib/reviews/queries";
import { reviewResource } from "@/lib/reviews/resource";
import { reviewChange } from "@/lib/reviews/schemas";

// PUT /api/reviews_edit/{id} – changes one's own review, which is then moderated again
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  PUT: route({
    access: "user",
    summary: "Modifier son avis",
    params: idParams,
    body: reviewChange,
    refusals: [403],
    run: ({ user, params, body }) =>
      updateReview({ viewer: viewerOf(user), id: params.id, ...body }),
    reply: reviewResource,
  }),
});
