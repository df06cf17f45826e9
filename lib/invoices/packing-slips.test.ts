import { expect, test } from "@playwright/test";
import { extractText, getDocumentProxy } from "unpdf";
import {
  drawPackingSlips,
  type PackingSlip,
  type PackingSlips,
} from "@/lib/invoices/packing-slips";

const slip = (values: Partial<PackingSlip> = {}): PackingSlip => ({
  orderNumber: "CMD-2026-000009",
  orderedAt: "2026-11-20T23:30:00.000Z",
  recipient: "Zoë Œuvrard",
  address: { street: "12 rue de l’Évêché", postalCode: "30000", city: "Nîmes" },
  shippingMethod: "Colissimo à domicile",
  lines: [
    { name: "Théière émaillée", reference: "n° 7", quantity: 2 },
    { name: "Cuillère à thé", reference: "–", quantity: 1 },
  ],
  ...values,
});

const documentOf = (slips: PackingSlip[]): PackingSlips => ({
  kind: "packing-slips",
  seller: { name: "Mini Ecommerce SAS", address: ["12 rue des Artisans", "69001 Lyon"] },
  slips,
});

async function pagesOf(slips: PackingSlip[]): Promise<string[]> {
  const pdf = await drawPackingSlips(documentOf(slips));
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(pdf)), {
    mergePages: false,
  });
  return text.map((page) => page.replace(/\s+/g, " "));
}

test("a packing slip contains products and address, and no prices", async () => {
  const [page = "", ...others] = await pagesOf([slip()]);
  expect(others).toEqual([]);
  for (const part of [
    "Bon de préparation",
    "Commande CMD-2026-000009",
    // The date in France.
    "du 21 novembre 2026",
    "Zoë Œuvrard",
    "12 rue de l’Évêché",
    "30000 Nîmes",
    "Mode de livraison : Colissimo à domicile",
    "2 Théière émaillée n° 7",
    "1 Cuillère à thé –",
    "3 pièces à emballer",
    "page 1 / 1",
  ])
    expect(page).toContain(part);
  expect(page).not.toMatch(/€|TVA/);
});

test("each order begins on a page of its own, and counts its pages", async () => {
  const lines = Array.from({ length: 60 }, (_, index) => ({
    name: `Article ${index + 1}`,
    reference: `n° ${index + 1}`,
    quantity: 1,
  }));
  const pages = await pagesOf([
    slip({ orderNumber: "CMD-2026-000001", lines }),
    slip({ orderNumber: "CMD-2026-000002", shippingMethod: null }),
  ]);
  const long = pages.filter((page) => page.includes("CMD-2026-000001"));
  expect(long.length).toBeGreaterThan(1);
  long.forEach((page, index) => {
    expect(page).toContain(`page ${index + 1} / ${long.length}`);
  });
  expect(long.join(" ")).toContain("Article 60");
  expect(pages.slice(long.length)).toHaveLength(1);
  expect(pages.at(-1)).toContain("page 1 / 1");
  expect(pages.at(-1)).not.toContain("Mode de livraison");
});
