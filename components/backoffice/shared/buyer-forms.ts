import type { Problem } from "@/lib/backoffice/rules";
import { ALL_FIELDS_REQUIRED } from "@/lib/backoffice/texts";
import { isBlank } from "@/lib/text/visible-text";
import { fullName } from "./option-sources";
import type { Owned } from "./person-columns";

// Shared by the forms of orders and invoices.

type RowWithBuyer = Required<Owned>;

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
