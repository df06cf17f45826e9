import { expect, test } from "@playwright/test";
import { renderExample } from "@/e2e/example-mail";
import { siteUrl } from "@/lib/env";

const words = (text: string) => text.replace(/\s+/g, " ");

test("the mail that confirms a stock alert has its token in the fragment, and says what becomes of the address", async () => {
  const { subject, html, text } = await renderExample({
    template: "stock-alert-confirmation",
    data: { token: "aB-_9", product: "Cruche <b>" },
  });
  expect(subject).toBe("Confirmez votre demande");
  expect(html).toContain(`href="${siteUrl()}/stock-alert#aB-_9"`);
  expect(html).not.toContain("<b>");
  expect(words(text)).toContain("quand « Cruche <b> » sera de nouveau en stock");
  expect(words(text)).toContain("un seul message, puis elle est effacée");
  expect(words(text)).toContain("Ce lien est valable 48 heures.");
});

test("the mail about a product that is back leads to it", async () => {
  const { subject, html, text } = await renderExample({
    template: "stock-alert",
    data: { product: { id: 7, name: "Cruche" } },
  });
  expect(subject).toBe("De retour : Cruche");
  expect(html).toContain(`href="${siteUrl()}/product/7"`);
  expect(words(text)).toContain("« Cruche » est de nouveau disponible");
});
