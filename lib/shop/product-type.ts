/** An object that is shipped, or a file that is downloaded. */
export type ProductType = "physical" | "digital";

export const PRODUCT_TYPE_LABELS = { physical: "Physique", digital: "Digital" } as const;

/** The JSON-LD class of a product says its type, in every response with a product. */
export const productClasses = {
  subclasses: ["PhysicalProduct", "DigitalProduct"],
  typeOf: ({ productType }: { productType: ProductType }) =>
    productType === "digital" ? "DigitalProduct" : "PhysicalProduct",
};
