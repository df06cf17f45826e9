import { expect, type Locator, type Page } from "@playwright/test";
import type { Database } from "@/db";
import { createAdmin } from "@/db/factories";
import { openSession } from "./browser-session";

// What the browser tests of the back office share.

/** An administrator's session, and a screen of the back office. */
export async function openScreen({
  page,
  database,
  path,
}: {
  page: Page;
  database: Database;
  path: string;
}) {
  const admin = await createAdmin({ db: database });
  await openSession(page, admin);
  await page.goto(path);
  return admin;
}

let lastNumber = 0;

/** "Bol4711x3k": a name that no other test gives, and no part of one: its search finds nothing else. */
export function unique(name: string): string {
  lastNumber += 1;
  return `${name}${process.pid}x${lastNumber}k`;
}

/** The table's row that says this. */
export const rowOf = (page: Page, text: string | RegExp): Locator =>
  page
    .getByRole("row")
    .filter({ hasText: text })
    .filter({ has: page.getByRole("cell") });

/** The window that is open: a form or a history. */
export const windowOf = (page: Page): Locator => page.getByRole("dialog");

/** The question that is open. */
export const questionOf = (page: Page): Locator => page.getByRole("alertdialog");

/** What the table's headings say, in order. */
export const headingsOf = (page: Page): Promise<string[]> =>
  page.getByRole("columnheader").allTextContents();

/** Searches the table, and waits for the answer. */
export async function search(page: Page, text: string): Promise<void> {
  await page.getByLabel("Rechercher").fill(text);
  await expect(page).toHaveURL(
    (url) => url.searchParams.get("search") === (text === "" ? null : text),
  );
  await expect(page.getByRole("region", { name: /^Gestion/ })).toHaveAttribute(
    "aria-busy",
    "false",
  );
}

/** Chooses in a field that searches on the server. */
export async function choose({
  within,
  label,
  search: text,
  option,
}: {
  within: Locator | Page;
  label: string;
  search: string;
  option: string | RegExp;
}): Promise<void> {
  const field = within.getByRole("combobox", { name: label, exact: true });
  await field.click();
  await field.fill(text);
  await within.getByRole("option", { name: option }).first().click();
}

/** Answers the next requests of this method under an address with a fault of the shop. */
export async function failRequests({
  page,
  path,
  method,
}: {
  page: Page;
  path: string | RegExp;
  method: string;
}): Promise<void> {
  await page.route(path, (route) =>
    route.request().method() === method
      ? route.fulfill({ status: 500, json: { title: "Erreur interne" } })
      : route.fallback(),
  );
}

/** Saves a row that the shop then fails to save, and closes the form. */
export async function expectFailedSave({
  page,
  row,
  path,
  sentence,
}: {
  page: Page;
  row: Locator;
  path: string;
  sentence: string;
}): Promise<void> {
  await failRequests({ page, path, method: "PUT" });
  await row.getByRole("button", { name: "Modifier" }).click();
  const form = windowOf(page);
  await form.getByRole("button", { name: "Enregistrer" }).click();
  await expect(form.getByRole("alert")).toHaveText(sentence);
  await form.getByRole("button", { name: "Annuler" }).click();
}

/** Deletes a row, after the question. */
export async function deleteRow({
  page,
  row,
  question,
}: {
  page: Page;
  row: Locator;
  question: string;
}): Promise<void> {
  await row.getByRole("button", { name: "Supprimer" }).click();
  await expect(questionOf(page)).toContainText(question);
  await questionOf(page).getByRole("button", { name: "Supprimer" }).click();
  await expect(row).toHaveCount(0);
}
