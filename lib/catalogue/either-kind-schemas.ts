import { z } from "zod";
import { nullableIntegerField } from "@/lib/backoffice/schemas";
import type { ProductType } from "@/lib/shop/product-type";
import {
  digitalProductChange,
  digitalProductInput,
  FILE_SIZE,
  physicalProductChange,
  physicalProductInput,
} from "./admin-schemas";
import { FILE_SIZE_REQUIRED } from "./texts";

// Bodies for products of either kind, sent to /api/products.

const kind = z.enum(["physical", "digital"]).describe("Produit physique ou numérique");

const KINDS: Readonly<Record<string, ProductType>> = {
  PhysicalProduct: "physical",
  DigitalProduct: "digital",
};

/** Reads the kind by any of its names: the back office's, the API's, or the JSON-LD class. */
function nameKind(sent: unknown): unknown {
  const { product_type, productType, "@type": type } = sent as Record<string, unknown>;
  return { ...(sent as object), productType: product_type ?? productType ?? KINDS[String(type)] };
}

/** Null counts as missing: clients read null for a physical product and send it back. */
const filesizeOfEither = nullableIntegerField(FILE_SIZE)
  .optional()
  .transform((kilobytes) => kilobytes ?? undefined);

/** The body of POST /api/products. Fields of the other kind are ignored. */
export const productInput = z.preprocess(
  nameKind,
  z
    .object({
      ...physicalProductInput.shape,
      ...digitalProductInput.shape,
      filesize: filesizeOfEither,
      productType: kind,
    })
    .superRefine(({ productType, filesize }, context) => {
      if (productType === "digital" && filesize === undefined)
        context.addIssue({ code: "custom", path: ["filesize"], message: FILE_SIZE_REQUIRED });
    })
    .transform((product) => product as typeof product & { filesize: number }),
);

/** The body of PUT /api/products/{id}: fields that are not sent stay, and so does the kind. */
export const productChange = z.preprocess(
  nameKind,
  z.object({
    ...physicalProductChange.shape,
    ...digitalProductChange.shape,
    filesize: filesizeOfEither,
    productType: kind.optional(),
  }),
);
