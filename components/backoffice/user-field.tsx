import type { ComponentProps } from "react";
import { USERS } from "./options";
import { SearchSelect } from "./search-select";

type SearchSelectProps = ComponentProps<typeof SearchSelect>;

type UserFieldProps = Omit<SearchSelectProps, "label" | "source"> & {
  source?: SearchSelectProps["source"];
};

/** Whose it is: one of all users, unless said otherwise. */
export const UserField = ({ source = USERS, ...props }: UserFieldProps) => (
  <SearchSelect label="Utilisateur" source={source} {...props} />
);
