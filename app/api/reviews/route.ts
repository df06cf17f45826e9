import { collectionHandlers } from "@/lib/backoffice/routes";
import { fail } from "@/lib/errors/failure";
import { authorize } from "@/lib/http/api/access";
import { collectionOf } from "@/lib/http/api/reply";
import { methods, route, viewOf } from "@/lib/http/api/route";
import { adminReviews } from "@/lib/reviews/admin";
import { listProductReviews, viewerOf } from "@/lib/reviews/queries";
import { reviewResource } from "@/lib/reviews/resource";
import { reviewQuery } from "@/lib/reviews/schemas";

const summary = "Lister les avis";
const description =
  "Avec `product` : ses avis validés, et ceux de l'appelant. Sans : tous, pour les administrateurs.";

const namesProduct = (request: Request) =>
  Boolean(new URL(request.url).searchParams.get("product"));

const reviews = collectionHandlers(adminReviews, {
  list: { summary, description },
  create: { summary: "Ajouter un avis au nom d'un client", refusals: [409] },
});

// GET /api/reviews – a product's reviews; for administrators, all reviews
// POST /api/reviews – adds a review written by an administrator
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: viewOf({
    when: (request) => !namesProduct(request),
    admins: reviews.GET,
    others: route({
      access: "optional",
      summary,
      description,
      query: reviewQuery,
      refusals: [401, 403],
      run: async ({ user, query: { product, page, itemsPerPage, ...query }, request }) => {
        const viewer = user && viewerOf(user);
        if (product === undefined) {
          await authorize("admin", request);
          throw fail.forbidden();
        }
        return listProductReviews({
          productId: product,
          viewer,
          page,
          itemsPerPage,
          userId: query.user,
          status: query.status,
          rating: query.rating,
          search: query.search,
          ratingSort: query["order[rating]"],
          dateSort: query["order[datePublication]"],
        });
      },
      reply: collectionOf(reviewResource),
    }),
  }),
  POST: reviews.POST,
});
