import { expect } from "@playwright/test";
import { eq } from "drizzle-orm";
import type { Database } from "@/db";
import { createAdmin } from "@/db/factories/people";
import { invoices } from "@/db/schema/invoices";
import { tokenOf } from "./accounts";
import type { Api, ApiAnswer } from "./api-client";

// Shared by the API tests of the back office.

/** A new administrator, with a bearer token. */
export async function newAdmin(db: Database) {
  const admin = await createAdmin({ db, firstName: "Inès", lastName: "Garnier" });
  return { id: admin.id, token: await tokenOf(admin) };
}

/** The addresses of an order that staff enter. */
export const ORDER_ADDRESSES = {
  shippingStreet: "12 rue des Lilas",
  shippingCity: "Lyon",
  shippingPostalCode: "69003",
  billingStreet: "3 quai des Brumes",
  billingCity: "Nantes",
  billingPostalCode: "44000",
};

/** Turns an invoice into a manual, unpaid one, which admins may change. */
export async function makeUnpaid(db: Database, invoiceId: number | undefined): Promise<void> {
  await db
    .update(invoices)
    .set({ source: "manual", paymentId: "virement" })
    .where(eq(invoices.id, invoiceId ?? 0));
}

interface Violations {
  "@type": string;
  "hydra:description": string;
  violations: { propertyPath: string; message: string }[];
}

/** The violations of a 422, as `{field: message}`. */
export function sentencesOf(answer: ApiAnswer<unknown>): Record<string, string> {
  expect(answer.status, answer.text).toBe(422);
  const { "@type": type, violations } = answer.json as Violations;
  expect(type).toBe("ConstraintViolationList");
  return Object.fromEntries(violations.map(({ propertyPath, message }) => [propertyPath, message]));
}

export interface HistoryEntry {
  id: number;
  entity: string;
  action: "create" | "update" | "delete";
  date: string;
  user: { id: number; name: string; lastname: string } | null;
  changes: { field: string; before: unknown; after: unknown }[];
}

/** The history of admins' changes to an object, newest first. */
export async function historyOf({
  api,
  token,
  entity,
  id,
}: {
  api: Api;
  token: string;
  entity: string;
  id: number;
}): Promise<HistoryEntry[]> {
  const answer = await api.get<HistoryEntry[]>(`/api/admin/history/${entity}/${id}`, { token });
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
}

/** The lines of a CSV export, cell by cell, without the byte order mark. */
export function linesOfCsv(answer: ApiAnswer<unknown>): string[][] {
  expect(answer.status, answer.text).toBe(200);
  expect(answer.headers["content-type"]).toBe("text/csv; charset=utf-8");
  expect(answer.headers["content-disposition"]).toMatch(
    /^attachment; filename="[a-z]+-\d{4}-\d\d-\d\d\.csv"$/,
  );
  expect(answer.text.startsWith("\uFEFF")).toBe(true);
  const lines: string[][] = [[]];
  for (const [, quoted, plain, end] of answer.text
    .slice(1)
    .matchAll(/(?:"((?:[^"]|"")*)"|([^";\r\n]*))(;|\r\n)/g)) {
    lines.at(-1)?.push(quoted === undefined ? (plain ?? "") : quoted.replaceAll('""', '"'));
    if (end === "\r\n") lines.push([]);
  }
  expect(lines.pop()).toEqual([]);
  return lines;
}
