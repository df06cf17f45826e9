import { z } from "zod";
import { POSTAL_ZONES } from "@/lib/shop/postal-zones";

export const destinationsShape = {
  zones: z.array(z.enum(POSTAL_ZONES)).describe("Zones desservies"),
  postalCodes: z
    .array(z.string())
    .describe("Codes postaux desservis en plus, entiers ou par leur début"),
};
