import { eq } from "drizzle-orm";
import { createCategory, createProduct, createReview } from "@/db/factories/catalogue";
import { createShippingMethod } from "@/db/factories/orders";
import { createUser } from "@/db/factories/people";
import type { ProductImage } from "@/db/schema/catalogue";
import { shippingMethods } from "@/db/schema/shipping-methods";
import { newEmail } from "../accounts";
import { newAdmin } from "../admin";
import { expectAccessible } from "../axe";
import { expectFits } from "../fit";
import { expect, test } from "../fixtures";
import {
  expectNoSidewaysScroll,
  plainSpaces,
  settled,
  WIDTHS,
  watchLayoutShifts,
} from "../storefront";

// The product's page as a shopper decides and buys on it: pictures, promises, the bar of a phone, sold-out
// products, and products to go on to.

const SMALL_PHONE = { width: WIDTHS.phone, height: 740 };

const pictures = (count: number): ProductImage[] =>
  Array.from({ length: count }, (_, i) => ({
    url: "placeholder.webp",
    alt: `Vue numéro ${i + 2}`,
  }));

test.describe("pictures", () => {
  test("are chosen by thumbnails, keys and swiping, and enlarged with arrows and Escape", async ({
    page,
    arrange,
  }) => {
    const { id } = await arrange((db) =>
      createProduct({ db, name: "Vase", moreImages: pictures(3) }),
    );
    await page.goto(`/product/${id}`);
    const gallery = page.getByRole("region", { name: "Images du produit" });
    const image = (name: string) => gallery.getByRole("img", { name, exact: true });
    const thumbnail = (n: number) =>
      gallery.getByRole("button", { name: `Image ${n} sur 4`, exact: true });
    await expect(image("Vase")).toBeInViewport({ ratio: 0.5 });
    await expect(image("Vase")).toHaveAttribute("fetchpriority", "high");
    await expect(image("Vase")).toHaveAttribute("loading", "eager");
    await expect
      .poll(() => image("Vase").evaluate(({ naturalWidth }: HTMLImageElement) => naturalWidth))
      .toBeGreaterThan(300);
    await expect(image("Vue numéro 2")).toHaveAttribute("loading", "lazy");
    await thumbnail(3).click();
    await expect(image("Vue numéro 3")).toBeInViewport({ ratio: 0.5 });
    await expect(thumbnail(3)).toHaveAttribute("aria-pressed", "true");
    await thumbnail(3).press("ArrowRight");
    await expect(image("Vue numéro 4")).toBeInViewport({ ratio: 0.5 });
    await expect(thumbnail(4)).toBeFocused();
    await thumbnail(4).press("Home");
    await expect(image("Vase")).toBeInViewport({ ratio: 0.5 });
    await expect(thumbnail(1)).toHaveAttribute("aria-pressed", "true");
    await expectAccessible(page);

    const enlarge = gallery.getByRole("button", { name: "Agrandir l’image 1 sur 4" });
    await enlarge.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Image agrandie" });
    await expect(dialog.getByRole("img", { name: "Vase" })).toBeVisible();
    await page.keyboard.press("ArrowRight");
    await expect(dialog.getByRole("img", { name: "Vue numéro 2" })).toBeVisible();
    await dialog.getByRole("button", { name: "Image suivante" }).click();
    await expect(dialog.getByText("3 / 4")).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    // The page shows the picture that was enlarged last.
    await expect(image("Vue numéro 3")).toBeInViewport({ ratio: 0.5 });
  });

  test("twelve, one or none, and a long name: accessible, nothing shifts or scrolls sideways", async ({
    page,
    arrange,
  }) => {
    const shifts = await watchLayoutShifts(page);
    for (const [count, values] of [
      ["twelve", { moreImages: pictures(11), name: "Lampe ".repeat(30).trim() }],
      ["none", { image: null }],
      ["one", { name: "Bol" }],
    ] as const)
      await test.step(count, async () => {
        const { id } = await arrange((db) => createProduct({ db, ...values }));
        for (const width of [WIDTHS.phone, WIDTHS.desktop]) {
          await page.setViewportSize({ width, height: 900 });
          await page.goto(`/product/${id}`);
          await settled(page);
          await expectNoSidewaysScroll(page);
          expect(await shifts.list()).toEqual([]);
          if (count !== "one") await expectAccessible(page);
        }
        // The list of viewed products would stay busy until it is scrolled to.
        await page.evaluate(() => localStorage.clear());
      });
    await expect(page.getByRole("toolbar", { name: "Choisir une image" })).toHaveCount(0);
    const enlarge = page.getByRole("button", { name: "Agrandir l’image" });
    await enlarge.click();
    const dialog = page.getByRole("dialog", { name: "Image agrandie" });
    await expect(dialog.getByRole("img", { name: "Bol" })).toBeVisible();
    await expect(dialog.getByRole("button")).toHaveCount(1);
    await dialog.getByRole("button", { name: "Fermer" }).click();
    await expect(dialog).toBeHidden();
    await expect(enlarge).toBeFocused();
  });

  test.describe("without JavaScript", () => {
    test.use({ javaScriptEnabled: false });

    test("scroll in their row", async ({ page, arrange }) => {
      const { id } = await arrange((db) =>
        createProduct({ db, name: "Vase", moreImages: pictures(2) }),
      );
      await page.goto(`/product/${id}`);
      await page.getByRole("img", { name: "Vue numéro 3" }).scrollIntoViewIfNeeded();
      await expect(page.getByRole("img", { name: "Vue numéro 3" })).toBeInViewport({ ratio: 0.5 });
      await expect(page.getByRole("button", { name: /Agrandir/ })).toHaveCount(0);
    });
  });
});

test("the promises are those of the product's kind, and of this shop's shipping methods", async ({
  page,
  api,
  arrange,
  database,
}) => {
  const { lamp, file, gift } = await arrange(async (db) => {
    // Shipping methods count for every product in the database.
    await db.delete(shippingMethods);
    return {
      lamp: await createProduct({ db, priceCents: 4000, weight: 900 }),
      file: await createProduct({ db, type: "digital", priceCents: 900 }),
      gift: await createProduct({ db, type: "digital", priceCents: 0 }),
    };
  });
  const promises = async ({ id }: { id: number }) => {
    await page.goto(`/product/${id}`);
    const list = page.getByRole("list", { name: "Nos engagements" });
    return (await list.getByRole("listitem").allTextContents()).map(plainSpaces);
  };
  const back = "14 jours pour changer d’avis";
  const card = "Paiement par carte, authentifié par votre banque";
  expect(await promises(lamp)).toEqual([back, card]);
  expect(await promises(file)).toEqual(["Disponible dès le paiement", card]);
  expect(await promises(gift)).toEqual(["Disponible dès la commande"]);
  try {
    // Changes by staff expire the cached pages.
    const { token } = await newAdmin(database);
    const bands = [{ maxWeight: 5000, price: 5.9 }];
    const made = await api.post<{ id: number }>("/api/shipping_methods", {
      token,
      json: { name: "Colis", price: 5.9, delay: "2 à 3 jours ouvrés", bands, freeFrom: 60 },
    });
    expect(await promises(lamp)).toEqual([
      "Livraison à partir de 5,90 €, 2 à 3 jours ouvrés · offerte dès 60,00 €",
      back,
      card,
    ]);
    await api.put(`/api/shipping_methods/${made.json.id}`, { token, json: { freeFrom: 30 } });
    expect((await promises(lamp))[0]).toBe("Livraison offerte, 2 à 3 jours ouvrés");
  } finally {
    await arrange((db) => db.delete(shippingMethods));
  }
});

test.describe("on a phone", () => {
  test.use({ viewport: SMALL_PHONE });

  test("the button is on the first screen, and a bar takes its place once it is out of view", async ({
    page,
    arrange,
  }) => {
    const { product, method } = await arrange(async (db) => {
      const product = await createProduct({
        db,
        name: "Théière en fonte émaillée",
        stock: 2,
        lowStockThreshold: 5,
      });
      const { id: userId } = await createUser({ db });
      await createReview({ db, productId: product.id, userId });
      return { product, method: await createShippingMethod({ db }) };
    });
    await page.goto(`/product/${product.id}`);
    const button = page.getByRole("button", { name: "Ajouter au panier" });
    const { y = 0, height = 0 } = (await button.boundingBox()) ?? {};
    expect(y + height).toBeLessThanOrEqual(640);
    const bar = page.getByRole("region", { name: "Acheter ce produit" });
    await expect(bar).toHaveCount(0);
    const crumbs = page.getByRole("navigation", { name: "Fil d’Ariane" }).getByRole("link");
    await expect(crumbs).toHaveCount(1);

    await page.getByRole("heading", { name: "Avis clients" }).scrollIntoViewIfNeeded();
    await expect(bar).toContainText("19,90");
    await expectAccessible(page);
    // The bar covers nothing that has the focus.
    const covered: string[] = [];
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press("Tab");
      const name = await page.evaluate(async () => {
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        const { activeElement: focused } = document;
        const bar = document.querySelector(".buy-bar")?.getBoundingClientRect();
        if (!focused || focused === document.body) return null;
        if (!bar || focused.closest(".buy-bar")) return "";
        const { bottom } = focused.getBoundingClientRect();
        return bottom > bar.top + 1 ? focused.outerHTML.slice(0, 300) : "";
      });
      if (name === null) break;
      if (name) covered.push(name);
    }
    expect(covered).toEqual([]);
    await page.getByText("Comment nous recueillons les avis").scrollIntoViewIfNeeded();
    await bar.getByRole("button", { name: "Ajouter" }).click();
    await expect(
      page.getByText("Veuillez vous connecter pour ajouter des produits au panier"),
    ).toBeInViewport({ ratio: 1 });
    await expect(bar).toHaveCount(0);
    await arrange((db) => db.delete(shippingMethods).where(eq(shippingMethods.id, method.id)));
  });
});

test("a sold-out product leads to others, and offers a mail when it is back", async ({
  page,
  arrange,
  mailbox,
  problems,
}) => {
  problems.allow(422);
  const { gone, similar } = await arrange(async (db) => {
    const { id: defaultCategoryId } = await createCategory({ db });
    const gone = await createProduct({ db, defaultCategoryId, stock: 0, name: "Cruche partie" });
    return { gone, similar: await createProduct({ db, defaultCategoryId, name: "Pichet" }) };
  });
  await page.goto(`/product/${gone.id}`);
  const main = page.getByRole("main");
  await expect(main.getByText("Épuisé", { exact: true })).toBeVisible();
  await expect(main.getByRole("button", { name: "Ajouter au panier" })).toBeDisabled();
  await expect(main.getByLabel("Quantité")).toHaveCount(0);
  await main.getByRole("link", { name: "Voir des produits proches" }).click();
  const related = main.getByRole("region", { name: "Dans le même rayon" });
  await expect(related).toBeInViewport();
  await expect(related.getByRole("link", { name: "Pichet" })).toHaveAttribute(
    "href",
    `/product/${similar.id}?category=${similar.defaultCategoryId}`,
  );

  const form = main.getByRole("form", { name: "Être prévenu de son retour" });
  const email = form.getByLabel("Email");
  const send = form.getByRole("button", { name: "Prévenez-moi" });
  await email.fill("pas une adresse");
  await send.click();
  await expect(form.getByText("Veuillez saisir une adresse e-mail valide.")).toBeVisible();
  await expect(email).toHaveValue("pas une adresse");
  await expectFits(page);
  const address = newEmail("guette");
  await email.fill(address);
  await email.press("Enter");
  await expect(
    form.getByText("Vérifiez votre boîte mail pour confirmer votre demande."),
  ).toBeVisible();

  const { html } = await mailbox.waitForMail({ to: address, subject: "Confirmez votre demande" });
  const hash = /\/stock-alert(#[\w-]+)"/.exec(html)?.[1];
  await page.goto(`/stock-alert${hash}`);
  await expect(
    main.getByText("C'est noté : nous vous écrirons dès que ce produit sera disponible."),
  ).toBeVisible();
  await expect(main.getByRole("link", { name: "Revenir au produit" })).toHaveAttribute(
    "href",
    `/product/${gone.id}`,
  );
  await expectAccessible(page);
  await main.getByRole("button", { name: "Annuler ma demande" }).click();
  await expect(main.getByText("Votre demande est annulée et votre adresse effacée.")).toBeVisible();
  await page.reload();
  await expect(main.getByText(/Ce lien n'est plus valable/)).toBeVisible();
});
