import { expect, test } from "@playwright/test";
import { siteUrl } from "@/lib/env";
import { picturesOf } from "@/lib/mail/pictures";

const line = { name: "Bol", unitPriceCents: 1000, productId: 7, image: "bol bleu.webp" };

test("a mail shows the shop's own pictures, by their whole address", () => {
  expect(picturesOf([line, { ...line, productId: null, image: "/images/a/b.png" }])).toEqual([
    {
      name: "Bol",
      unitPriceCents: 1000,
      src: `${siteUrl()}/_next/image?url=%2Fimages%2Fbol%20bleu.webp&w=192&q=75`,
      href: `${siteUrl()}/product/7`,
    },
    {
      name: "Bol",
      unitPriceCents: 1000,
      src: `${siteUrl()}/_next/image?url=%2Fimages%2Fa%2Fb.png&w=192&q=75`,
      href: null,
    },
  ]);
});

test("a picture of another site is not loaded: it would learn when the mail is opened", () => {
  for (const image of ["https://exemple.fr/bol.webp", "/backoffice", "../bol.webp"])
    expect(picturesOf([{ ...line, image }]), image).toEqual([]);
});
