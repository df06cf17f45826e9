import { createUser } from "@/db/factories/people";
import { newEmail, tokenInMail, tokenOf } from "../accounts";
import { submitLogin } from "../browser-session";
import { expect, test } from "../fixtures";

const CONFIRMED = "Votre nouvelle adresse e-mail est enregistrée.";

test("the mailed link to a new e-mail address asks for a login, and no server sees its token", async ({
  page,
  api,
  mailbox,
  problems,
  database: db,
}) => {
  problems.allow(/ERR_FAILED/);
  const user = await createUser({ db });
  const email = newEmail("nouvelle");
  const answer = await api.put("/api/account", { token: await tokenOf(user), json: { email } });
  expect(answer.status, answer.text).toBe(200);
  const mail = await mailbox.waitForMail({ to: email });
  const token = tokenInMail({ mail, page: "profile#email" });
  const seen: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes(token)) seen.push(new URL(request.url()).pathname);
  });
  const message = page.getByRole("main").locator("[role=status], [role=alert]");
  await page.goto(`/profile#email=${token}`);
  await expect(page).toHaveURL("/login");
  await submitLogin({ page, email: user.email });
  await expect(page).toHaveURL("/profile");
  await expect(message).toHaveText(CONFIRMED);
  await expect(page.getByLabel("Email")).toHaveValue(email);
  expect(seen).toEqual([`/api/verify-email/${token}`]);
  // The browser's history does not hold the message either.
  await page.reload();
  await expect(page.getByLabel("Email")).toHaveValue(email);
  await expect(page.getByText(CONFIRMED)).toHaveCount(0);

  const open = () =>
    page.evaluate(() => {
      window.location.hash = "email=inconnu";
    });
  await page.route("**/api/verify-email/**", (route) => route.abort());
  await open();
  await expect(message).toHaveText(
    "Une erreur est survenue lors de la vérification de l’adresse. Rouvrez le lien.",
  );
  await page.unroute("**/api/verify-email/**");
  await open();
  await expect(message).toHaveText("Ce lien de vérification est invalide ou a expiré.");
  await expect(page).toHaveURL("/profile");
});
