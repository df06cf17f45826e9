import { fail } from "@/lib/errors";
import { collectionOf } from "@/lib/http/reply";
import { methods, route } from "@/lib/http/route";
import { listAllReviews, listProductReviews, viewerOf } from "@/lib/reviews/queries";
import { reviewResource } from "@/lib/reviews/resource";
import { reviewQuery } from "@/lib/reviews/schemas";

// GET /api/reviews – a product's reviews; all reviews, for administrators
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "optional",
    summary: "Lister les avis",
    description:
      "Avec `product` : ses avis validés, et ceux de l'appelant. Sans : tous, pour les administrateurs.",
    query: reviewQuery,
    refusals: [401, 403],
    run: ({ user, query: { product, page, itemsPerPage, ...query } }) => {
      const viewer = user && viewerOf(user);
      const request = {
        page,
        itemsPerPage,
        userId: query.user,
        status: query.status,
        search: query.search,
        ratingSort: query["order[rating]"],
        dateSort: query["order[datePublication]"],
      };
      if (product !== undefined)
        return listProductReviews({ productId: product, viewer, ...request });
      if (viewer === null) throw fail.unauthorized();
      if (!viewer.isAdmin) throw fail.forbidden();
      return listAllReviews(request);
    },
    reply: collectionOf(reviewResource),
  }),
});
