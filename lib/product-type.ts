/** A thing to be sent, or a file to be downloaded. */
export type ProductType = "physical" | "digital";

export const PRODUCT_TYPE_LABELS = { physical: "Physique", digital: "Digital" } as const;

/** The class in JSON-LD of a product, wherever one is shown, says its type. */
export const productClasses = {
  subclasses: ["PhysicalProduct", "DigitalProduct"],
  typeOf: ({ productType }: { productType: ProductType }) =>
    productType === "digital" ? "DigitalProduct" : "PhysicalProduct",
};
