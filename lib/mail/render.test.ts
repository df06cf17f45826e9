import { expect, test } from "@playwright/test";
import { exampleSeller, renderExample } from "@/e2e/example-mail";
import { siteUrl } from "@/lib/env";
import { renderMail } from "@/lib/mail/render";

const data = {
  name: "Camille Dupré",
  email: "camille@exemple.fr",
  message: "Bonjour,\n\nma commande n'est pas arrivée.",
};
const render = (change: Partial<typeof data> = {}) =>
  renderExample({ template: "contact", data: { ...data, ...change } });

test("the contact mail contains sender and message, in HTML and in text", async () => {
  const { subject, html, text, attachments } = await render();
  expect(subject).toBe("Nouveau message de Camille Dupré");
  for (const part of ["Camille Dupré", "camille@exemple.fr", "Bonjour,", "arrivée"]) {
    expect(html).toContain(part);
    expect(text).toContain(part);
  }
  expect(text).toContain("Bonjour,\n\nma commande");
  expect(text).not.toMatch(/<[a-z/]/i);
  expect(html).toMatch(/^<!DOCTYPE html/);
  expect(html).toContain('<html dir="ltr" lang="fr">');
  expect(attachments).toEqual([]);
});

test("a mail loads nothing from anywhere, and has a dark mode", async () => {
  const { html } = await render();
  expect(html).not.toMatch(/<img|<link|<script|@import|url\(/i);
  expect(html).toContain("prefers-color-scheme: dark");
  expect(html).toContain('name="color-scheme" content="light dark"');
});

const notice = { event: "password-changed", at: "2026-11-20T23:30:00Z" };

test("the foot says who has sent the mail and whom to ask, under the shop's name", async () => {
  const { html, text } = await renderExample({ template: "security-notice", data: notice });
  const spaced = text.replace(/\s+/g, " ");
  expect(spaced).toContain("Bols & Cie SARL · 3 rue du Four, 30000 Nîmes · SIREN 123 456 782");
  expect(spaced).toContain("Une question ? Répondez à ce message ou appelez le 04 65 71 01 23.");
  expect(html).toMatch(new RegExp(`<a href="${siteUrl()}"[^>]*>Mini Ecommerce</a>`));
  expect(html).not.toContain(`>${siteUrl()}<`);
  // Nothing was bought.
  expect(spaced).not.toContain("rétracter");
});

test("the foot of a mail about an order leads to the withdrawal", async () => {
  const parcel = {
    orderNumber: "CMD-2026-000009",
    buyer: { firstName: "Zoë", lastName: "Œuvrard" },
    carrier: null,
    trackingNumber: null,
    trackingUrl: null,
    items: [{ name: "Bol", quantity: 1 }],
    rest: [],
    address: { street: "3 rue du Four", postalCode: "30000", city: "Nîmes" },
  };
  const { html } = await renderExample({ template: "shipment", data: parcel });
  expect(html).toContain(`href="${siteUrl()}/livraison-et-retours#se-retracter"`);
});

test("the foot leaves out what the seller did not say, and offers the shop itself no help", async () => {
  const seller = { ...exampleSeller, legalName: "", address: [], siren: "", phone: "" };
  const { text } = await renderMail({ template: "security-notice", data: notice, seller });
  expect(text.replace(/\s+/g, " ")).toContain("Répondez à ce message. Ce message vous est envoyé");
  expect(text).not.toMatch(/SIREN|undefined|null|·/);
  const toShop = await render();
  expect(toShop.text).not.toMatch(/Une question/);
});

test("only a mail whose link is the only way shows its address, too", async () => {
  const copy = "copiez cette adresse dans votre navigateur";
  const { html } = await renderExample({ template: "verification", data: { token: "abc" } });
  expect(html).toContain(copy);
  const other = await renderExample({ template: "security-notice", data: notice });
  expect(other.html).not.toContain(copy);
  expect(other.text).toContain(`${siteUrl()}/forget-password`);
});

test("a line break in a name adds no header and no line to the subject", async () => {
  const { subject } = await render({ name: "Eve\r\nBcc: tous@exemple.fr\u2028\0X" });
  expect(subject).toBe("Nouveau message de Eve Bcc: tous@exemple.fr X");
});

test("markup in a message stays text", async () => {
  const { html, text } = await render({
    name: "<b>Eve</b>",
    message: '</p><script>alert("1")</script><a href="https://mauvais.example">ici</a>',
  });
  expect(html).not.toContain("<script");
  expect(html).not.toContain("<b>Eve");
  expect(html).not.toContain('href="https://mauvais.example"');
  expect(text).toContain('<script>alert("1")</script>');
});

test("the same data gives the same mail, so that the provider recognises a repeated one", async () => {
  expect(await render()).toEqual(await render());
});

test("an unknown template and data of another shape are errors", async () => {
  await expect(renderExample({ template: "toString", data })).rejects.toThrow(/toString/);
  await expect(renderExample({ template: "contact", data: { name: 3 } })).rejects.toThrow();
});
