import type { Api } from "./api-client";

// The shapes of the API's responses, written out for the tests: the shop's own types cannot prove that
// its responses are right.

export interface Collection<T> {
  "@context": string;
  "@id": string;
  "@type": string;
  "hydra:totalItems": number;
  "hydra:member": T[];
  "hydra:view"?: Record<string, string>;
  "hydra:search": {
    "@type": string;
    "hydra:template": string;
    "hydra:variableRepresentation": string;
    "hydra:mapping": { "@type": string; variable: string; property: string; required: boolean }[];
  };
}

export interface LabelJson {
  "@id": string;
  "@type": string;
  id: number;
  name: string;
  color: string;
}

export interface ProductJson {
  "@id": string;
  "@type": "PhysicalProduct" | "DigitalProduct";
  id: number;
  productType: "physical" | "digital";
  name: string;
  description: string;
  price: number;
  vatRate: number;
  image: string | null;
  images: { url: string; alt: string }[];
  sku: string | null;
  gtin: string | null;
  brand: string | null;
  status: "active" | "draft";
  defaultCategory: LabelJson;
  categoryId: number;
  categories: LabelJson[];
  tags: LabelJson[];
  characteristics: Record<string, string> | null;
  filesize: number | null;
  filetype: string | null;
  avgRating: number | null;
  sales_count: number;
  createdAt: string | null;
}

/** All members of a list, from all its pages; other tests may add pages. */
export async function readWhole<T>({ api, path }: { api: Api; path: string }): Promise<T[]> {
  const all: T[] = [];
  for (let page = 1; ; page++) {
    const { json } = await api.get<T[]>(`${path}?itemsPerPage=100&page=${page}`, {
      accept: "application/json",
    });
    all.push(...json);
    if (json.length < 100) return all;
  }
}
