import { expect, test } from "../fixtures";
import { trackedBy, watchRequests } from "../storefront";

test("each page that is opened is a view, with its title and address", async ({ page }) => {
  await page.goto("/");
  await expect
    .poll(async () => (await trackedBy(page)).map(([command]) => command))
    .toContain("trackPageView");
  await page.getByRole("banner").getByRole("link", { name: "Contact" }).click();
  await expect(page).toHaveTitle("Contact - Mini Ecommerce");
  const views = async () =>
    (await trackedBy(page)).filter(([command]) => command === "trackPageView").length;
  await expect.poll(views).toBe(2);
  const commands = await trackedBy(page);
  const { origin } = new URL(page.url());
  expect(commands[0]).toEqual(["setSiteId", "1"]);
  expect(commands).toContainEqual(["setCustomUrl", `${origin}/`]);
  expect(commands).toContainEqual(["setDocumentTitle", "Accueil - Mini Ecommerce"]);
  expect(commands).toContainEqual(["setCustomUrl", `${origin}/contact`]);
  expect(commands).toContainEqual(["setDocumentTitle", "Contact - Mini Ecommerce"]);
  expect(commands).toContainEqual(["setReferrerUrl", `${origin}/`]);
});

test("without an address no script is loaded", async ({ page }) => {
  const seen: string[] = [];
  page.on("request", (request) => seen.push(request.url()));
  await page.goto("/");
  // The tracker has begun its work, which is when its script would be asked for.
  await expect
    .poll(async () => (await trackedBy(page)).map(([command]) => command))
    .toContain("trackPageView");
  expect(seen.filter((url) => /matomo/i.test(url))).toEqual([]);
});

test("the depth of reading is told at 25, 50, 75 and 100 percent, once each", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 400 });
  await page.goto("/");
  const depths = async () =>
    (await trackedBy(page))
      .filter(
        ([command, , action]) => command === "trackEvent" && /défilement/.test(String(action)),
      )
      .map((event) => event[4]);
  expect(await depths()).toEqual([]);
  const scrollTo = (part: number) =>
    page.evaluate((share) => {
      const { scrollHeight } = document.documentElement;
      window.scrollTo({ top: scrollHeight * share - window.innerHeight + 2, behavior: "instant" });
    }, part);
  for (const [part, told] of [
    [0.25, [25]],
    [0.5, [25, 50]],
    [0.3, [25, 50]],
    [0.75, [25, 50, 75]],
    [1, [25, 50, 75, 100]],
    [0.2, [25, 50, 75, 100]],
    [1, [25, 50, 75, 100]],
  ] as const) {
    await scrollTo(part);
    await expect.poll(depths).toEqual(told);
  }
});

test("with an address the script is loaded from it, and its absence is awaited three seconds", async ({
  shopWith,
  page,
  problems,
}) => {
  problems.allow(/stats\.exemple\.test|ERR_FAILED/);
  const { baseURL } = await shopWith({
    env: { MATOMO_URL: "https://stats.exemple.test" },
    database: "shared",
  });
  const asked = watchRequests(page, "/matomo.js");
  await page.route("https://stats.exemple.test/**", (route) => route.abort());
  await page.clock.install();
  await page.goto(`${baseURL}/contact`, { waitUntil: "commit" });
  await expect.poll(() => asked.length).toBe(1);
  const commands = async () => (await trackedBy(page)).map(([command]) => command);
  await expect.poll(commands).toContain("setTrackerUrl");
  await page.clock.pauseAt(Date.now() + 1_000);
  expect(await commands()).not.toContain("trackPageView");
  await page.clock.runFor(3_200);
  await expect.poll(commands).toContain("trackPageView");
});
