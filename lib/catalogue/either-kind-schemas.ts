import { z } from "zod";
import { nullableIntegerField } from "@/lib/backoffice/schemas";
import type { ProductType } from "@/lib/product-type";
import {
  digitalProductChange,
  digitalProductInput,
  FILE_SIZE,
  physicalProductChange,
  physicalProductInput,
} from "./admin-schemas";
import { FILE_SIZE_REQUIRED } from "./texts";

// Products of either kind, at the address where all of them are: /api/products.

const kind = z.enum(["physical", "digital"]).describe("Produit physique ou numérique");

const KINDS: Readonly<Record<string, ProductType>> = {
  PhysicalProduct: "physical",
  DigitalProduct: "digital",
};

/** Takes the kind by any of its names: the back office's, the API's, the class of what was read. */
function nameKind(sent: unknown): unknown {
  const { product_type, productType, "@type": type } = sent as Record<string, unknown>;
  return { ...(sent as object), productType: product_type ?? productType ?? KINDS[String(type)] };
}

/** Null, as it is read of a physical product, is as good as nothing. */
const filesizeOfEither = nullableIntegerField(FILE_SIZE)
  .optional()
  .transform((kilobytes) => kilobytes ?? undefined);

/** The body of POST /api/products. What only the other kind has is ignored. */
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

/** The body of PUT /api/products/{id}: what is not sent stays, the kind as well. */
export const productChange = z.preprocess(
  nameKind,
  z.object({
    ...physicalProductChange.shape,
    ...digitalProductChange.shape,
    filesize: filesizeOfEither,
    productType: kind.optional(),
  }),
);
