import { expect, test } from "@playwright/test";
import { renderExample } from "@/e2e/example-mail";
import { siteUrl } from "@/lib/env";

for (const { template, subject, page, promise } of [
  {
    template: "verification",
    subject: "Vérifiez votre adresse e-mail",
    page: "account-verification",
    promise: "48\u00a0heures",
  },
  {
    template: "password-reset",
    subject: "Choisissez un nouveau mot de passe",
    page: "reset-password",
    promise: "une heure",
  },
])
  test(`the ${template} mail carries its link, in HTML and in text`, async () => {
    const mail = await renderExample({ template, data: { token: "aB-_9/ü" } });
    const link = `${siteUrl()}/${page}/aB-_9%2F%C3%BC`;
    expect(mail.subject).toBe(subject);
    expect(mail.html).toContain(`href="${link}"`);
    expect(mail.text).toContain(link);
    expect(mail.text.replace(/\n/g, " ")).toContain(promise);
  });

test("the verification mail's link leads back to the page that the visitor wanted", async () => {
  const { html, text } = await renderExample({
    template: "verification",
    data: { token: "abc", returnPath: "/product/7?category=3" },
  });
  const link = `${siteUrl()}/account-verification/abc?retour=/product/7%3Fcategory%3D3`;
  expect(html).toContain(`href="${link}"`);
  expect(text).toContain(link);
});

test("the link to confirm a new address has its token in the fragment", async () => {
  const { subject, html, text } = await renderExample({
    template: "email-change",
    data: { token: "aB-_9" },
  });
  expect(subject).toBe("Confirmez votre nouvelle adresse e-mail");
  expect(html).toContain(`href="${siteUrl()}/profile#email=aB-_9"`);
  expect(text.replace(/\s+/g, " ")).toContain("Ce lien est valable 48 heures.");
});

test("the mail about an address that is registered again says how its reader sets the password", async () => {
  const data = { token: "abc", isRegisteredAgain: true };
  const { html, text } = await renderExample({ template: "verification", data });
  const words = text.replace(/\s+/g, " ");
  expect(html).toContain(`href="${siteUrl()}/account-verification/abc"`);
  expect(words).toContain("Un compte existe déjà avec cette adresse e-mail.");
  expect(words).not.toContain("Votre compte est créé");
  expect(words).toContain(
    `Si elle n’était pas de vous, ou si vous avez oublié ce mot de passe, choisissez-en un autre au lieu d’ouvrir ce lien : cela vérifie aussi votre adresse. ${siteUrl()}/forget-password`,
  );
});

test("a notice says what has changed, when in France, and what to do", async () => {
  const notice = (data: object) => renderExample({ template: "security-notice", data });
  const at = "2026-11-20T23:30:00Z";
  const { subject, html, text } = await notice({ event: "password-changed", at });
  expect(subject).toBe("Votre mot de passe a été modifié");
  expect(text.replace(/\s+/g, " ")).toContain("a été modifié le 21/11/2026 à 00:30.");
  expect(html).toContain(`href="${siteUrl()}/forget-password"`);
  const reset = await notice({ event: "two-factor-reset", at });
  expect(reset.subject).toBe("La double authentification est désactivée");
  expect(reset.text.replace(/\s+/g, " ")).toContain(
    "la boutique a désactivé la double authentification (2FA) de votre compte et fermé toutes vos sessions le 21/11/2026",
  );
  expect(reset.text.replace(/\s+/g, " ")).toContain(
    `Si vous l’avez demandé, connectez-vous avec votre mot de passe, puis activez-la de nouveau dans « Mon profil » : ${siteUrl()}/profile Sinon, choisissez`,
  );
  expect(reset.text).not.toContain("rien à faire");
  const email = await notice({ event: "email-change-requested", at });
  expect(email.subject).toBe("Une nouvelle adresse e-mail est demandée pour votre compte");
  const words = email.text.replace(/\s+/g, " ");
  expect(words).toContain(
    "un changement d’adresse e-mail a été demandé pour votre compte le 21/11/2026 à 00:30.",
  );
  expect(words).toContain("cela ferme toutes les sessions ouvertes et annule ce changement.");
  expect(words).toContain(
    `S’il est trop tard et que vous ne pouvez plus vous connecter, écrivez à la boutique : ${siteUrl()}/contact`,
  );
  const left = async (codesLeft: number) =>
    (await notice({ event: "recovery-code-used", at, codesLeft })).text;
  expect(await left(9)).toContain("Il vous en reste 9.");
  expect(await left(1)).toContain("Il vous en reste un.");
  expect(await left(0)).toContain("C’était le dernier.");
  await expect(notice({ event: "something-else", at })).rejects.toThrow();
});

test("the mail about a closed account says what is left of it, and whom to write to", async () => {
  const at = "2026-11-20T23:30:00Z";
  const closed = async (template: string, isByShop: boolean) => {
    const { subject, html, text } = await renderExample({ template, data: { at, isByShop } });
    expect(html).toContain(`href="${siteUrl()}/contact"`);
    return { subject, text: text.replace(/\s+/g, " ") };
  };
  const deactivated = await closed("account-deactivated", false);
  expect(deactivated.subject).toBe("Votre compte a été désactivé");
  expect(deactivated.text).toContain("votre compte a été désactivé le 21/11/2026 à 00:30.");
  expect(deactivated.text).toContain("Vos données et vos commandes sont conservées.");
  expect(deactivated.text).toContain("changez-le aussi sur les autres sites");
  const erased = await closed("account-erased", false);
  expect(erased.subject).toBe("Votre compte a été supprimé");
  expect(erased.text).toContain("Seules les factures de vos achats restent archivées");
  const byShop = await closed("account-erased", true);
  expect(byShop.text).toContain("la boutique a supprimé votre compte le 21/11/2026 à 00:30.");
  expect(byShop.text).not.toContain("mot de passe");
});
