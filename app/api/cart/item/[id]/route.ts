import { deleteCartItem, updateCartItem } from "@/lib/cart/mutations";
import { changedItem } from "@/lib/cart/resource";
import { cartItemInput } from "@/lib/cart/schemas";
import { QUANTITY_CHANGED } from "@/lib/cart/texts";
import { idParams } from "@/lib/http/api/ids";
import { json } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";

// PUT /api/cart/item/{id} – sets the quantity of an item
// DELETE /api/cart/item/{id} – removes an item from the cart
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  PUT: route({
    access: "user",
    summary: "Changer la quantité d'un article de son panier",
    params: idParams,
    body: cartItemInput,
    refusals: [409],
    run: async ({ user, params, body }) => ({
      message: QUANTITY_CHANGED,
      ...(await updateCartItem({ userId: user.id, id: params.id, ...body })),
    }),
    reply: json(changedItem),
  }),
  DELETE: route({
    access: "user",
    summary: "Retirer un article de son panier",
    params: idParams,
    run: ({ user, params }) => deleteCartItem({ userId: user.id, id: params.id }),
    reply: 204,
  }),
});
