import { readdirSync } from "node:fs";
import path from "node:path";
import { expect, type Locator, type Page } from "@playwright/test";
import type { Database } from "@/db";
import { createAdmin } from "@/db/factories/people";
import { staleTokenOf } from "./accounts";
import { openSession } from "./browser-session";

// Shared by the browser tests of the back office.

/** The paths of the back office's screens. */
export const SCREENS = readdirSync(path.join(import.meta.dirname, "../app/backoffice"), {
  recursive: true,
})
  .map((file) => path.posix.join("/backoffice", String(file).replaceAll(path.sep, "/")))
  .filter((file) => /^[^[]*\/page\.tsx$/.test(file))
  .map((file) => path.posix.dirname(file))
  .sort();

/**
 * Opens a screen of the back office with an administrator's session.
 *
 * @param isStale true if the session's last password was given more than ten minutes ago
 */
export async function openScreen({
  page,
  database,
  path,
  isStale = false,
}: {
  page: Page;
  database: Database;
  path: string;
  isStale?: boolean;
}) {
  const admin = await createAdmin({ db: database });
  await openSession(page, admin, isStale ? await staleTokenOf(admin) : undefined);
  await page.goto(path);
  return admin;
}

let lastNumber = 0;

/** "Bol4711x3k": no other test's name contains it, so that a search for it finds nothing else. */
export function unique(name: string): string {
  lastNumber += 1;
  return `${name}${process.pid}x${lastNumber}k`;
}

export const rowOf = (page: Page, text: string | RegExp): Locator =>
  page
    .getByRole("row")
    .filter({ hasText: text })
    .filter({ has: page.getByRole("cell") });

/** The open dialog: a form or a history. */
export const dialogOf = (page: Page): Locator => page.getByRole("dialog");

export const confirmDialogOf = (page: Page): Locator => page.getByRole("alertdialog");

export async function headingsOf(page: Page): Promise<string[]> {
  const headings = page.getByRole("columnheader");
  await expect(headings).not.toHaveCount(0);
  return headings.allTextContents();
}

/** Searches the table, and waits until it shows the results. */
export async function search(page: Page, text: string): Promise<void> {
  // The URL changes before React shows that the table is loading.
  const answered = page.waitForResponse(
    (response) => new URL(response.url()).searchParams.get("search") === text,
  );
  await page.getByLabel("Rechercher").fill(text);
  await answered;
  await expect(page.getByRole("region", { name: /^Gestion/ })).toHaveAttribute(
    "aria-busy",
    "false",
  );
}

/** Chooses in a `SearchSelect`. */
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

/** Answers requests of this method and path with a 500. */
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

/** Saves a form, which closes it. */
export async function saveForm(form: Locator): Promise<void> {
  await form.getByRole("button", { name: "Enregistrer" }).click();
  await expect(form).toBeHidden();
}

/** Expects this message when saving fails with a 500, and closes the form. */
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
  const form = dialogOf(page);
  await form.getByRole("button", { name: "Enregistrer" }).click();
  await expect(form.getByRole("alert")).toHaveText(sentence);
  await form.getByRole("button", { name: "Annuler" }).click();
}

/** Deletes a row, and confirms it. */
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
  await expect(confirmDialogOf(page)).toContainText(question);
  await confirmDialogOf(page).getByRole("button", { name: "Supprimer" }).click();
  await expect(page.getByText("Suppression effectuée.")).toBeVisible();
  await expect(row).toHaveCount(0);
}
