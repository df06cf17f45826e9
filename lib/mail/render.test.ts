import { expect, test } from "@playwright/test";
import { renderMail } from "@/lib/mail/render";

const data = {
  name: "Camille Dupré",
  email: "camille@exemple.fr",
  message: "Bonjour,\n\nma commande n'est pas arrivée.",
};
const render = (change: Partial<typeof data> = {}) =>
  renderMail({ template: "contact", data: { ...data, ...change } });

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
  await expect(renderMail({ template: "toString", data })).rejects.toThrow(/toString/);
  await expect(renderMail({ template: "contact", data: { name: 3 } })).rejects.toThrow();
});
