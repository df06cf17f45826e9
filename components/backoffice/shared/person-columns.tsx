import { Fragment, type ReactNode } from "react";
import type { Filter } from "@/components/backoffice/crud/crud-entity";
import type { FieldColumn } from "@/components/backoffice/crud/crud-field";
import { formatDateTime } from "@/lib/dates";
import { fullName, USERS, type UserRef } from "./option-sources";

// Columns and filters shared by several screens.

export interface Owned {
  /** Null after the account was erased. */
  user: UserRef | null;
  /** Orders and invoices keep their buyer's name. */
  buyer?: Person;
}

type Person = Omit<UserRef, "id">;

const personCell =
  (render: (person: Person) => ReactNode) =>
  ({ user, buyer }: Owned) => {
    const person = user ?? buyer;
    return person ? render(person) : "–";
  };

export const USER_COLUMN: FieldColumn<Owned> = { cell: personCell(fullName) };

/** An e-mail address, which may break before the @, or before a dot that is not the last. */
export function EmailAddress({ children }: { children: string }) {
  return children.split(/(?=@|\..*\.)/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts are identified by their places only
    <Fragment key={index}>
      {index > 0 && <wbr />}
      <span>{part}</span>
    </Fragment>
  ));
}

/** The name, with the e-mail address below it. */
export const Customer = ({ person }: { person: Person }) => (
  <>
    <p className="font-medium">{fullName(person)}</p>
    <p className="text-muted text-xs">
      {person.email && <EmailAddress>{person.email}</EmailAddress>}
    </p>
  </>
);

export const CUSTOMER_COLUMN: FieldColumn<Owned> = {
  className: "lg:min-w-48",
  cell: personCell((person) => <Customer person={person} />),
};

/** The date, with the number below it. */
export const NumberedDate = ({ date, number }: { date: string; number: string }) => (
  <>
    <time dateTime={date}>{formatDateTime(date)}</time>
    <p className="text-muted text-xs">{number}</p>
  </>
);

export const NUMBERED_DATE_COLUMN: FieldColumn<{ date: string; number: string }> = {
  isSortable: true,
  className: "lg:min-w-28 tabular-nums",
  cell: NumberedDate,
};

/** Limits a list to one user. */
export const USER_FILTER: Filter = {
  kind: "search",
  name: "user",
  label: "Utilisateur",
  source: USERS,
};

export const DATE_FILTERS: readonly Filter[] = [
  { kind: "date", name: "date[after]", label: "Du" },
  { kind: "date", name: "date[before]", label: "Au" },
];
