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

const confirm = (hasDownloads: boolean, terms?: string) =>
  renderExample({ template: "order-confirmation", data: { invoice, hasDownloads, terms } });

test("the confirmation contains products and addresses, in HTML and in text", async () => {
  const { subject, html, text } = await confirm(true);
  expect(subject).toBe("Confirmation de votre commande CMD-2026-000009");
  const spaced = text.replace(/\s+/g, " ");
  for (const part of [
    "Bonjour Zoë Œuvrard",
    "2 × Théière émaillée : 85,80 €",
    "1 × Guide des thés <PDF> : 2,00 €",
    "Total TTC : 87,80 €",
    "Livraison : 12 rue de l’Évêché, 30000 Nîmes",
    "Facturation : 3 place du Marché, 25000 Besançon",
    "Facture : FA-2026-000007",
    "Vos fichiers sont prêts",
    "État de la commande : payée (étape 1 sur 4).",
    `Suivre ma commande ${siteUrl()}/orders?commande=CMD-2026-000009`,
  ])
    expect(spaced).toContain(part);
  expect(html).toContain(`href="${siteUrl()}/orders?commande=CMD-2026-000009"`);
  expect(html).toContain("Guide des thés &lt;PDF&gt;");
  expect(spaced).toContain("renoncé pour eux à votre droit de rétractation");
  expect((await confirm(false)).text).not.toMatch(/Vos fichiers|rétractation/);
});

test("in text an item and its amount share a line, and free shipping is called as in the shop", async () => {
  const lines = [
    { name: "Bol", quantity: 1, unitPriceCents: 1000, vatRateBp: 2000 },
    {
      name: "Livraison – Colis",
      quantity: 1,
      unitPriceCents: 0,
      vatRateBp: 2000,
      kind: "shipping",
    },
  ];
  const snapshot = { ...invoice.snapshot, lines };
  const { text } = await renderExample({
    template: "order-confirmation",
    data: { invoice: { ...invoice, snapshot }, hasDownloads: false },
  });
  const shown = text.split("\n").map((line) => line.replace(/\s/g, " "));
  expect(shown).toContain("1 × Bol : 10,00 €");
  expect(shown).toContain("Livraison – Colis : Offerte");
});

test("the confirmation of files alone names no address of delivery", async () => {
  const { html, text } = await renderExample({
    template: "order-confirmation",
    data: { invoice, hasDownloads: true, hasObjects: false },
  });
  for (const shown of [html, text]) expect(shown).not.toMatch(/Livraison|étape|En préparation/);
  expect(text.replace(/\s+/g, " ")).toContain("Facturation : 3 place du Marché, 25000 Besançon");
});

test("the confirmation of a free order speaks of no payment", async () => {
  const { html, text } = await renderExample({
    template: "order-confirmation",
    data: { invoice: { ...invoice, totalCents: 0, paymentId: null }, hasDownloads: true },
  });
  const spaced = text.replace(/\s+/g, " ");
  expect(spaced).toContain(
    "votre commande CMD-2026-000009 est enregistrée. Vous n'avez rien à payer.",
  );
  expect(spaced).toContain("Vous avez consenti à en disposer dès la confirmation");
  for (const shown of [html, text]) expect(shown).not.toContain("paiement");
});

test("the invoice is attached, with the same bytes at each attempt", async () => {
  const [first, second] = [await confirm(false), await confirm(false)];
  expect(first).toEqual(second);
  expect(first.attachments).toHaveLength(1);
  const [file] = first.attachments;
  expect(file).toMatchObject({ filename: "facture-7.pdf", contentType: "application/pdf" });
  expect(
    Buffer.from(file?.content ?? [])
      .subarray(0, 5)
      .toString(),
  ).toBe("%PDF-");
});

test("the accepted terms are attached, too", async () => {
  const { attachments, text } = await confirm(false, "# Prix\nEn euros, frais d’envoi compris.");
  expect(attachments.map(({ filename }) => filename)).toEqual([
    "facture-7.pdf",
    "conditions-generales-de-vente.txt",
  ]);
  expect(attachments[1]?.contentType).toBe("text/plain; charset=utf-8");
  expect(new TextDecoder().decode(attachments[1]?.content)).toBe(
    "# Prix\nEn euros, frais d’envoi compris.\n",
  );
  expect(text.replace(/\s+/g, " ")).toContain("facture et nos conditions générales de vente sont");
});

test("the mail about a refund contains amount, payment and due date", async () => {
  const { subject, text } = await renderExample({
    template: "payment-refunded",
    data: { amountCents: 4290, paidAt: "2026-11-20T23:30:00Z" },
  });
  expect(subject.replace(/\s/g, " ")).toBe("Votre paiement de 42,90 € est remboursé");
  const spaced = text.replace(/\s+/g, " ");
  expect(spaced).toContain("votre paiement de 42,90 € du 21/11/2026 à 00:30 n’a pas pu");
  expect(spaced).toContain("cinq à dix jours ouvrés");
});

const withdrawal = {
  orderNumber: "CMD-2026-000009",
  orderedAt: "2026-11-20T10:00:00Z",
  date: "2026-11-23T18:44:00Z",
  refundBy: "2026-12-07T18:44:00Z",
  buyer: { email: "zoe@exemple.test", firstName: "Zoë", lastName: "Œuvrard" },
  objects: [{ name: "Théière émaillée", quantity: 2 }],
  items: "",
};

test("a withdrawal is confirmed to the buyer, and the shop is told what to do", async () => {
  const receipt = await renderExample({ template: "withdrawal-receipt", data: withdrawal });
  expect(receipt.subject).toBe("Accusé de réception de votre rétractation (CMD-2026-000009)");
  const notice = await renderExample({ template: "withdrawal-notice", data: withdrawal });
  expect(notice.subject).toBe("Rétractation de Zoë Œuvrard (CMD-2026-000009)");
  expect(notice.text).toContain(`${siteUrl()}/backoffice/withdrawals`);
  for (const { text } of [receipt, notice]) {
    const spaced = text.replace(/\s+/g, " ");
    expect(spaced).toContain("23/11/2026 à 19:44");
    expect(spaced).toContain("Commande : CMD-2026-000009 du 20/11/2026");
    expect(spaced).toContain("Objets de la commande : 2 × Théière émaillée");
    expect(spaced).toContain("Rétractation pour : tous ces objets");
    expect(spaced).toContain("au plus tard le 07/12/2026");
  }
});

test("the withdrawal from a free order does not mention a refund", async () => {
  const data = { ...withdrawal, isFree: true };
  for (const template of ["withdrawal-receipt", "withdrawal-notice"] as const) {
    const { text } = await renderExample({ template, data });
    const spaced = text.replace(/\s+/g, " ");
    expect(spaced).toMatch(/Cette commande était gratuite : il n’y a rien à (vous )?rembourser\./);
    expect(spaced).not.toMatch(/au plus tard|carte/);
    expect(spaced).not.toContain("remboursement");
  }
});

test("the receipt of a withdrawal contains the return address, if it is known", async () => {
  const textOf = async (returnTo?: string) => {
    const { text } = await renderExample({
      template: "withdrawal-receipt",
      data: { ...withdrawal, returnTo },
    });
    return text.replace(/\s+/g, " ");
  };
  expect(await textOf("Bols SARL, 3 rue du Four, 30000 Nîmes")).toContain(
    "Renvoyez-nous dans les quatorze jours ce dont vous vous rétractez, à cette adresse si nos conditions générales de vente n’en indiquent pas d’autre : Bols SARL, 3 rue du Four, 30000 Nîmes.",
  );
  expect(await textOf()).toContain("ce dont vous vous rétractez. Nous vous rembourserons");
});

test("the mail about a refused withdrawal contains the reason, and invites to answer", async () => {
  const { subject, html, text } = await renderExample({
    template: "withdrawal-refusal",
    data: {
      orderNumber: "CMD-2026-000009",
      date: "2026-11-23T18:44:00Z",
      buyer: { firstName: "Zoë", lastName: "Œuvrard" },
      reason: "Abat-jour <fendu>",
    },
  });
  expect(subject).toBe("Votre rétractation est refusée (CMD-2026-000009)");
  expect(html).toContain("Abat-jour &lt;fendu&gt;");
  const spaced = text.replace(/\s+/g, " ");
  expect(spaced).toContain(
    "Bonjour Zoë Œuvrard, nous avons examiné votre rétractation du 23/11/2026",
  );
  expect(spaced).toContain("Motif : Abat-jour <fendu>");
  expect(spaced).toContain("Répondez simplement à ce message.");
});

test("the shop's notice of a withdrawal does without a buyer whose account was erased", async () => {
  const data = { ...withdrawal, buyer: null, items: null };
  const { subject, text } = await renderExample({ template: "withdrawal-notice", data });
  expect(subject).toBe("Rétractation (CMD-2026-000009)");
  const spaced = text.replace(/\s+/g, " ");
  expect(spaced).toContain("Objets de la commande : 2 × Théière émaillée");
  expect(spaced).toContain("au plus tard le 07/12/2026");
  expect(spaced).toContain("La facture de la commande dit qui rembourser.");
  expect(spaced).not.toMatch(/Client :|Email :|Rétractation pour|Répondez/);
});

test("the mail about a parcel contains its products, its tracking link and what is left", async () => {
  const data = {
    orderNumber: "CMD-2026-000009",
    buyer: { firstName: "Zoë", lastName: "Œuvrard" },
    carrier: "Colissimo",
    trackingNumber: "6A12345678901",
    trackingUrl: "https://www.laposte.fr/outils/suivre-vos-envois?code=6A12345678901",
    items: [{ name: "Théière <émaillée>", quantity: 1 }],
    rest: [{ name: "Bol", quantity: 2 }],
    address: { street: "12 rue de l’Évêché", postalCode: "30000", city: "Nîmes" },
  };
  const part = await renderExample({ template: "shipment", data });
  expect(part.subject).toBe("Un colis de votre commande CMD-2026-000009 est parti");
  expect(part.html).toContain(`href="${data.trackingUrl}"`);
  expect(part.html).toContain("Théière &lt;émaillée&gt;");
  const spaced = part.text.replace(/\s+/g, " ");
  for (const text of [
    "Bonjour Zoë Œuvrard",
    "Contenu : 1 × Théière <émaillée>",
    "Livraison : 12 rue de l’Évêché, 30000 Nîmes",
    "Transporteur : Colissimo",
    "Numéro de suivi : 6A12345678901",
    data.trackingUrl,
    "Le reste vous sera envoyé séparément : 2 × Bol.",
  ])
    expect(spaced).toContain(text);

  const whole = await renderExample({
    template: "shipment",
    data: { ...data, carrier: "Coursier", trackingNumber: null, trackingUrl: null, rest: [] },
  });
  expect(whole.subject).toBe("Votre commande CMD-2026-000009 est expédiée");
  expect(whole.text).not.toMatch(/Numéro de suivi|Le reste|laposte/);
  expect(whole.html).toContain(`href="${siteUrl()}/orders?commande=CMD-2026-000009"`);
  expect(spaced).toContain("en préparation (étape 2 sur 4)");
  expect(whole.text.replace(/\s+/g, " ")).toContain("expédiée (étape 3 sur 4)");
  const unnamed = await renderExample({ template: "shipment", data: { ...data, carrier: null } });
  expect(unnamed.html).toContain("En route, suivi 6A12345678901.");
  expect(unnamed.text).not.toContain("Transporteur");
});
