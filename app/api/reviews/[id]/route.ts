import { idParams } from "@/lib/http/api/ids";
import { methods, route, viewOf } from "@/lib/http/api/route";
import { staffRead, staffUpdate } from "@/lib/http/api/staff";
import { deleteAnyReview, requireAnyReview, updateAnyReview } from "@/lib/reviews/admin";
import { adminReviewResource } from "@/lib/reviews/admin-resource";
import { adminReviewChange } from "@/lib/reviews/admin-schemas";
import { deleteReview } from "@/lib/reviews/mutations";
import { requireReview, viewerOf } from "@/lib/reviews/queries";
import { reviewResource } from "@/lib/reviews/resource";

const summary = "Lire un avis";

// GET, PUT, DELETE /api/reviews/{id} – one review; administrators change it, they and its author
// delete it
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: viewOf({
    admins: staffRead({ summary, run: requireAnyReview, reply: adminReviewResource }),
    others: route({
      access: "optional",
      summary,
      params: idParams,
      run: ({ user, params }) => requireReview({ id: params.id, viewer: user && viewerOf(user) }),
      reply: reviewResource,
    }),
  }),
  PUT: staffUpdate({
    summary: "Modifier ou modérer un avis",
    body: adminReviewChange,
    run: updateAnyReview,
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
