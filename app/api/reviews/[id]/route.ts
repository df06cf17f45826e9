import { idParams } from "@/lib/http/api/ids";
import { methods, route, viewOf } from "@/lib/http/api/route";
import { deleteAnyReview, requireAnyReview, updateAnyReview } from "@/lib/reviews/admin";
import { adminReviewResource } from "@/lib/reviews/admin-resource";
import { adminReviewChange } from "@/lib/reviews/admin-schemas";
import { deleteReview } from "@/lib/reviews/mutations";
import { requireReview, viewerOf } from "@/lib/reviews/queries";
import { reviewResource } from "@/lib/reviews/resource";

const summary = "Lire un avis";

// GET, PUT, DELETE /api/reviews/{id} – one review; changed by administrators, deleted by its author
// too
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: viewOf({
    admins: route({
      access: "admin",
      summary,
      params: idParams,
      run: ({ params }) => requireAnyReview({ id: params.id }),
      reply: adminReviewResource,
    }),
    others: route({
      access: "optional",
      summary,
      params: idParams,
      run: ({ user, params }) => requireReview({ id: params.id, viewer: user && viewerOf(user) }),
      reply: reviewResource,
    }),
  }),
  PUT: route({
    access: "admin",
    summary: "Modifier ou modérer un avis",
    params: idParams,
    body: adminReviewChange,
    refusals: [409],
    run: ({ user, params, body }) => updateAnyReview({ actor: user, id: params.id, input: body }),
    reply: adminReviewResource,
  }),
  DELETE: route({
    access: "user",
    summary: "Supprimer son avis, ou celui d'un client en tant qu'administrateur",
    params: idParams,
    refusals: [403],
    run: ({ user, params }) => {
      const viewer = viewerOf(user);
      return viewer.isAdmin
        ? deleteAnyReview({ actor: user, id: params.id })
        : deleteReview({ viewer, id: params.id });
    },
    reply: 204,
  }),
});
