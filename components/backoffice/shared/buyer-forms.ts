import type { Problem } from "@/lib/backoffice/rules";
import { ALL_FIELDS_REQUIRED } from "@/lib/backoffice/texts";
import { isBlank } from "@/lib/text/visible-text";
import { fullName, type UserRef } from "./option-sources";

// Shared by the forms of orders and invoices.

interface RowWithBuyer {
  /** Null after the account was erased; the buyer stays. */
  user: UserRef | null;
  buyer: Omit<UserRef, "id">;
}

/** Says the buyer's name if the account was erased. */
export const erasedUserHint = (row: RowWithBuyer | null): { hint?: string } =>
  row?.user === null
    ? { hint: `Compte supprimé\u00a0: ${fullName(row.buyer)}. Laisser vide pour ne rien changer.` }
    : {};

/** Problems of the fields left empty. Without the buyer's account there may be no user. */
export const emptyFields = (values: object, row: RowWithBuyer | null): Problem[] =>
  Object.entries(values)
    .filter(([, value]) => value === null || (typeof value === "string" && isBlank(value)))
    .filter(([field]) => !(field === "user" && row?.user === null))
    .map(([field]) => ({ field, message: ALL_FIELDS_REQUIRED }));
