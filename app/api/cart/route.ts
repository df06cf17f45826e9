import { emptyCart } from "@/lib/cart/mutations";
import { getCart } from "@/lib/cart/queries";
import { cartResource } from "@/lib/cart/resource";
import { methods, route } from "@/lib/http/api/route";

// GET /api/cart – the customer's cart
// DELETE /api/cart – empties the cart
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "user",
    summary: "Lire son panier",
    run: ({ user }) => getCart({ userId: user.id }),
    reply: cartResource,
  }),
  DELETE: route({
    access: "user",
    summary: "Vider son panier",
    run: ({ user }) => emptyCart({ userId: user.id }),
    reply: 204,
  }),
});
