import { idParams } from "@/lib/http/ids";
import { methods, route } from "@/lib/http/route";
import { deleteReview } from "@/lib/reviews/mutations";
import { requireReview, viewerOf } from "@/lib/reviews/queries";
import { reviewResource } from "@/lib/reviews/resource";

// GET, DELETE /api/reviews/{id} – one review; deleted by its author or an administrator
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "optional",
    summary: "Lire un avis",
    params: idParams,
    run: ({ user, params }) => requireReview({ id: params.id, viewer: user && viewerOf(user) }),
    reply: reviewResource,
  }),
  DELETE: route({
    access: "user",
    summary: "Supprimer son avis, ou celui d'un client en tant qu'administrateur",
    params: idParams,
    refusals: [403],
    run: ({ user, params }) => deleteReview({ viewer: viewerOf(user), id: params.id }),
    reply: 204,
  }),
});
