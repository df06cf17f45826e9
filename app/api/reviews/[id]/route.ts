import { adminItem } from "@/lib/http/api/admin";
import { idParams } from "@/lib/http/api/ids";
import { methods, route, viewOf } from "@/lib/http/api/route";
import { adminReviews } from "@/lib/reviews/admin";
import { deleteReview } from "@/lib/reviews/mutations";
import { requireReview, viewerOf } from "@/lib/reviews/queries";
import { reviewResource } from "@/lib/reviews/resource";

const summary = "Lire un avis";

// GET, PUT, DELETE /api/reviews/{id} – one review; administrators change it, they and its author
// delete it
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: viewOf({
    admins: adminItem({ summary, run: adminReviews.one, reply: adminReviews.resource }),
    others: route({
      access: "optional",
      summary,
      params: idParams,
      run: ({ user, params }) => requireReview({ id: params.id, viewer: user && viewerOf(user) }),
      reply: reviewResource,
    }),
  }),
  PUT: adminItem({
    summary: "Modifier ou modérer un avis",
    body: adminReviews.change,
    run: adminReviews.update,
    reply: adminReviews.resource,
  }),
  DELETE: route({
    access: "user",
    summary: "Supprimer son avis, ou celui d'un client en tant qu'administrateur",
    params: idParams,
    refusals: [403],
    run: ({ user, params }) => {
      const viewer = viewerOf(user);
      return viewer.isAdmin
        ? adminReviews.remove({ actor: user, id: params.id })
        : deleteReview({ viewer, id: params.id });
    },
    reply: 204,
  }),
});
