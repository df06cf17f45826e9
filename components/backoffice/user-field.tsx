import type { ComponentProps } from "react";
import { fullName, USERS, type UserRef } from "./options";
import { SearchSelect } from "./search-select";

type SearchSelectProps = ComponentProps<typeof SearchSelect>;

type UserFieldProps = Omit<SearchSelectProps, "label" | "source"> & {
  source?: SearchSelectProps["source"];
};

/** Whose it is: one of all users, unless said otherwise. */
export const UserField = ({ source = USERS, ...props }: UserFieldProps) => (
  <SearchSelect label="Utilisateur" source={source} {...props} />
);

/** Whose an order or an invoice was, where the account is gone and only the name has stayed. */
export const hintOfErased = (
  row: { user: UserRef | null; buyer?: Omit<UserRef, "id"> } | null,
): string | undefined =>
  row?.user === null && row.buyer
    ? `Compte supprimé\u00a0: ${fullName(row.buyer)}. Laisser vide pour ne rien changer.`
    : undefined;
