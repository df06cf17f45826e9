import { expect, test } from "@playwright/test";
import { renderExample } from "@/e2e/example-mail";
import { siteUrl } from "@/lib/env";
import type { InvoiceDocument } from "@/lib/invoices/document";

const invoice: InvoiceDocument = {
  id: 7,
  number: "FA-2026-000007",
  issuedAt: new Date("2026-11-20T10:00:00.000Z"),
  totalCents: 8780,
  paymentId: "pi_123",
  snapshot: {
    seller: {
      name: "Mini Ecommerce SAS",
      address: ["12 rue des Artisans", "69001 Lyon"],
      siren: "123 456 782",
      vatNumber: "FR11 123456782",
      email: "bonjour@exemple.test",
    },
    buyer: { firstName: "Zoë", lastName: "Œuvrard", email: "zoe@exemple.test" },
    shippingAddress: { street: "12 rue de l’Évêché", city: "Nîmes", postalCode: "30000" },
    billingAddress: { street: "3 place du Marché", city: "Besançon", postalCode: "25000" },
    orderNumber: "CMD-2026-000009",
    lines: [
      { name: "Théière émaillée", quantity: 2, unitPriceCents: 4290, vatRateBp: 2000 },
      { name: "Guide des thés <PDF>", quantity: 1, unitPriceCents: 200, vatRateBp: 550 },
    ],
  },
};

/** An example of a mail, with all white space of its text as single plain spaces. */
async function mailOf(...[example]: Parameters<typeof renderExample>) {
  const mail = await renderExample(example);
  return { ...mail, text: mail.text.replace(/\s+/g, " ") };
}

const confirm = (data: object = {}) =>
  mailOf({ template: "order-confirmation", data: { invoice, hasDownloads: false, ...data } });

function expectParts(text: string, parts: readonly string[]): void {
  for (const part of parts) expect(text).toContain(part);
}

const orderUrl = `${siteUrl()}/orders?commande=CMD-2026-000009`;

test("the confirmation contains products and addresses, in HTML and in text", async () => {
  const { subject, html, text } = await confirm({ hasDownloads: true });
  expect(subject).toBe("Confirmation de votre commande CMD-2026-000009");
  expectParts(text, [
    "Bonjour Zoë Œuvrard",
    "2 × Théière émaillée : 85,80 €",
    "1 × Guide des thés <PDF> : 2,00 €",
    "Total TTC : 87,80 €",
    "Livraison : 12 rue de l’Évêché, 30000 Nîmes",
    "Facturation : 3 place du Marché, 25000 Besançon",
    "Facture : FA-2026-000007",
    "Vos fichiers sont prêts",
    "renoncé pour eux à votre droit de rétractation",
    "État de la commande : payée (étape 1 sur 4).",
    `Suivre ma commande ${orderUrl}`,
  ]);
  expectParts(html, [`href="${orderUrl}"`, "Guide des thés &lt;PDF&gt;"]);
  expect((await confirm()).text).not.toMatch(/Vos fichiers|rétractation/);
});

test("in text an item and its amount share a line, and free shipping is called as in the shop", async () => {
  const line = { quantity: 1, vatRateBp: 2000 };
  const lines = [
    { ...line, name: "Bol", unitPriceCents: 1000 },
    { ...line, name: "Livraison – Colis", unitPriceCents: 0, kind: "shipping" },
  ];
  const data = { invoice: { ...invoice, snapshot: { ...invoice.snapshot, lines } } };
  const { text } = await renderExample({
    template: "order-confirmation",
    data: { ...data, hasDownloads: false },
  });
  const shown = text.split("\n").map((each) => each.replace(/\s/g, " "));
  expect(shown).toContain("1 × Bol : 10,00 €");
  expect(shown).toContain("Livraison – Colis : Offerte");
});

test("the confirmation of files alone names no address of delivery", async () => {
  const { html, text } = await confirm({ hasDownloads: true, hasObjects: false });
  for (const shown of [html, text]) expect(shown).not.toMatch(/Livraison|étape|En préparation/);
  expect(text).toContain("Facturation : 3 place du Marché, 25000 Besançon");
});

test("the confirmation of a free order speaks of no payment", async () => {
  const free = { ...invoice, totalCents: 0, paymentId: null };
  const { html, text } = await confirm({ invoice: free, hasDownloads: true });
  expectParts(text, [
    "votre commande CMD-2026-000009 est enregistrée. Vous n'avez rien à payer.",
    "Vous avez consenti à en disposer dès la confirmation",
  ]);
  for (const shown of [html, text]) expect(shown).not.toContain("paiement");
});

test("invoice and accepted terms are attached, with the same bytes at each attempt", async () => {
  const terms = "# Prix\nEn euros, frais d’envoi compris.";
  const [first, second] = [await confirm({ terms }), await confirm({ terms })];
  expect(first).toEqual(second);
  const [pdf, accepted, ...others] = first.attachments;
  expect(others).toEqual([]);
  expect(pdf).toMatchObject({ filename: "facture-7.pdf", contentType: "application/pdf" });
  expect(new TextDecoder().decode(pdf?.content.subarray(0, 5))).toBe("%PDF-");
  expect(accepted).toMatchObject({
    filename: "conditions-generales-de-vente.txt",
    contentType: "text/plain; charset=utf-8",
  });
  expect(new TextDecoder().decode(accepted?.content)).toBe(`${terms}\n`);
  expect(first.text).toContain("facture et nos conditions générales de vente sont");
  expect((await confirm()).attachments).toHaveLength(1);
});

test("the mail about a refund contains amount, payment and due date", async () => {
  const { subject, text } = await mailOf({
    template: "payment-refunded",
    data: { amountCents: 4290, paidAt: "2026-11-20T23:30:00Z" },
  });
  expect(subject.replace(/\s/g, " ")).toBe("Votre paiement de 42,90 € est remboursé");
  expectParts(text, [
    "votre paiement de 42,90 € du 21/11/2026 à 00:30 n’a pas pu",
    "cinq à dix jours ouvrés",
  ]);
});

const buyer = { email: "zoe@exemple.test", firstName: "Zoë", lastName: "Œuvrard" };

const withdrawal = {
  orderNumber: "CMD-2026-000009",
  orderedAt: "2026-11-20T10:00:00Z",
  date: "2026-11-23T18:44:00Z",
  refundBy: "2026-12-07T18:44:00Z",
  buyer,
  objects: [{ name: "Théière émaillée", quantity: 2 }],
  items: "",
};

const receiptOf = (data: object = {}) =>
  mailOf({ template: "withdrawal-receipt", data: { ...withdrawal, ...data } });
const noticeOf = (data: object = {}) =>
  mailOf({ template: "withdrawal-notice", data: { ...withdrawal, ...data } });

test("a withdrawal is confirmed to the buyer, and the shop is told what to do", async () => {
  const [receipt, notice] = [await receiptOf(), await noticeOf()];
  expect(receipt.subject).toBe("Accusé de réception de votre rétractation (CMD-2026-000009)");
  expect(receipt.text).toContain("nous avons reçu votre rétractation le");
  expect(notice.subject).toBe("Rétractation de Zoë Œuvrard (CMD-2026-000009)");
  expect(notice.text).toContain(`${siteUrl()}/backoffice/withdrawals`);
  for (const { text } of [receipt, notice])
    expectParts(text, [
      "23/11/2026 à 19:44",
      "Commande : CMD-2026-000009 du 20/11/2026",
      "Objets de la commande : 2 × Théière émaillée",
      "Rétractation pour : tous ces objets",
      "au plus tard le 07/12/2026",
    ]);
});

test("the withdrawal from a free order does not mention a refund", async () => {
  for (const { text } of [await receiptOf({ isFree: true }), await noticeOf({ isFree: true })]) {
    expect(text).toMatch(/Cette commande était gratuite : il n’y a rien à (vous )?rembourser\./);
    expect(text).not.toMatch(/au plus tard|carte|remboursement/);
  }
});

test("the receipt of a withdrawal contains the return address, if it is known", async () => {
  const returnTo = "Bols SARL, 3 rue du Four, 30000 Nîmes";
  expect((await receiptOf({ returnTo })).text).toContain(
    `Renvoyez-nous dans les quatorze jours ce dont vous vous rétractez, à cette adresse si nos conditions générales de vente n’en indiquent pas d’autre : ${returnTo}.`,
  );
  expect((await receiptOf()).text).toContain(
    "ce dont vous vous rétractez. Nous vous rembourserons",
  );
});

test("the mail about a refused withdrawal contains the reason, and invites to answer", async () => {
  const { subject, html, text } = await mailOf({
    template: "withdrawal-refusal",
    data: { ...withdrawal, reason: "Abat-jour <fendu>" },
  });
  expect(subject).toBe("Votre rétractation est refusée (CMD-2026-000009)");
  expect(html).toContain("Abat-jour &lt;fendu&gt;");
  expectParts(text, [
    "Bonjour Zoë Œuvrard, nous avons examiné votre rétractation du 23/11/2026",
    "Motif : Abat-jour <fendu>",
    "Répondez simplement à ce message.",
  ]);
});

test("the shop's notice of a withdrawal does without a buyer whose account was erased", async () => {
  const { subject, text } = await noticeOf({ buyer: null, items: null });
  expect(subject).toBe("Rétractation (CMD-2026-000009)");
  expectParts(text, [
    "Objets de la commande : 2 × Théière émaillée",
    "au plus tard le 07/12/2026",
    "La facture de la commande dit qui rembourser.",
  ]);
  expect(text).not.toMatch(/Client :|Email :|Rétractation pour|Répondez/);
});

test("the mail about a parcel contains its products, its tracking link and what is left", async () => {
  const trackingUrl = "https://www.laposte.fr/outils/suivre-vos-envois?code=6A12345678901";
  const send = (data: object = {}) =>
    mailOf({
      template: "shipment",
      data: {
        orderNumber: "CMD-2026-000009",
        buyer,
        carrier: "Colissimo",
        trackingNumber: "6A12345678901",
        trackingUrl,
        items: [{ name: "Théière <émaillée>", quantity: 1 }],
        rest: [{ name: "Bol", quantity: 2 }],
        address: { street: "12 rue de l’Évêché", postalCode: "30000", city: "Nîmes" },
        ...data,
      },
    });
  const part = await send();
  expect(part.subject).toBe("Un colis de votre commande CMD-2026-000009 est parti");
  expectParts(part.html, [`href="${trackingUrl}"`, "Théière &lt;émaillée&gt;"]);
  expectParts(part.text, [
    "Bonjour Zoë Œuvrard",
    "Contenu : 1 × Théière <émaillée>",
    "Livraison : 12 rue de l’Évêché, 30000 Nîmes",
    "Transporteur : Colissimo",
    "Numéro de suivi : 6A12345678901",
    trackingUrl,
    "Le reste vous sera envoyé séparément : 2 × Bol.",
    "en préparation (étape 2 sur 4)",
  ]);

  const unknown = { carrier: "Coursier", trackingNumber: null, trackingUrl: null };
  const whole = await send({ ...unknown, rest: [] });
  expect(whole.subject).toBe("Votre commande CMD-2026-000009 est expédiée");
  expect(whole.text).not.toMatch(/Numéro de suivi|Le reste|laposte/);
  expect(whole.text).toContain("expédiée (étape 3 sur 4)");
  expect(whole.html).toContain(`href="${orderUrl}"`);
  const unnamed = await send({ carrier: null });
  expect(unnamed.html).toContain("En route, suivi 6A12345678901.");
  expect(unnamed.text).not.toContain("Transporteur");
});
