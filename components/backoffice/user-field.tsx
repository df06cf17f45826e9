import type { ComponentProps } from "react";
import { fullName, USERS, type UserRef } from "./options";
import { SearchSelect } from "./search-select";

type SearchSelectProps = ComponentProps<typeof SearchSelect>;

type UserFieldProps = Omit<SearchSelectProps, "label" | "source"> & {
  source?: SearchSelectProps["source"];
};

/** Selects a user; any of them unless `source` is given. */
export const UserField = ({ source = USERS, ...props }: UserFieldProps) => (
  <SearchSelect label="Utilisateur" source={source} {...props} />
);

/** Names the buyer of an order or invoice whose account was erased. */
export const erasedUserHint = (
  row: { user: UserRef | null; buyer?: Omit<UserRef, "id"> } | null,
): string | undefined =>
  row?.user === null && row.buyer
    ? `Compte supprimé\u00a0: ${fullName(row.buyer)}. Laisser vide pour ne rien changer.`
    : undefined;
