import { z } from "zod";
import { relationField } from "@/lib/http/api/ids";
import { MAX_QUANTITY } from "./limits";
import { QUANTITY_TOO_LOW, quantityTooHigh } from "./texts";

const quantity = z
  .int()
  .min(1, QUANTITY_TOO_LOW)
  .max(MAX_QUANTITY, quantityTooHigh(MAX_QUANTITY))
  .describe("Nombre de pièces");

/** `POST /api/cart/add`. */
export const cartAddition = z.object({
  productId: relationField({ collection: "products", description: "Produit" }),
  quantity: quantity.default(1),
});

/** `PUT /api/cart/item/{id}`. */
export const cartItemInput = z.object({ quantity });
