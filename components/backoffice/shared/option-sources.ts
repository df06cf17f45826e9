import type { Option } from "@/components/backoffice/forms/search-select";
import { centsFromEuros } from "@/lib/money";
import { wholeNumber } from "@/lib/numbers";

// The options of forms and filters.

export interface UserRef {
  id: number;
  /** Family name. */
  name: string;
  /** Given name. */
  lastname: string;
  email?: string;
}

interface LabelRef {
  id: number;
  name: string;
  color: string;
}

interface ProductRef {
  id: number;
  name: string;
  price?: number;
}

interface OrderRef {
  id: number;
  total: number;
  invoiceNumber?: string | null;
}

export interface Choice<Value extends string> {
  value: Value;
  label: string;
}

/** The options of a select, from labels by value. */
export const choicesOf = <Value extends string>(labels: Readonly<Record<Value, string>>) =>
  Object.entries<string>(labels).map(([value, label]) => ({ value: value as Value, label }));

/** "Martin Camille": family name and given name, as tables show them. */
export const fullName = ({ name, lastname }: Pick<UserRef, "name" | "lastname">) =>
  `${name} ${lastname}`;

const userOption = (user: UserRef): Option => ({
  id: user.id,
  label: fullName(user),
  ...(user.email && { detail: user.email }),
});

const labelOption = ({ id, name, color }: LabelRef): Option => ({ id, label: name, color });

export const orderOption = ({ id, total, invoiceNumber }: OrderRef): Option => ({
  id,
  label: `#${id} - ${total} €`,
  ...(invoiceNumber && { detail: `facture ${invoiceNumber}` }),
});

export const USERS = { path: "/api/users", toOption: userOption };
export const USERS_WITHOUT_CART = { path: "/api/users-without-cart", toOption: userOption };
export const PRODUCTS = {
  path: "/api/products",
  toOption: ({ id, name, price }: ProductRef): Option => ({
    id,
    label: name,
    detail: `#${id}`,
    price,
  }),
};
export const CATEGORIES = { path: "/api/categories", toOption: labelOption };
export const TAGS = { path: "/api/tags", toOption: labelOption };
export const ORDERS = { path: "/api/orders", toOption: orderOption };

/** The IRI of an item, as the API takes relations. */
export const iriOf = (path: string, option: Option | null) =>
  option ? `${path}/${option.id}` : null;

/** The typed euros; null if empty. NaN, which no schema accepts, if there is a third decimal. */
export const eurosOf = (typed: string): number | null =>
  typed.trim() === "" ? null : centsFromEuros(typed) === null ? Number.NaN : Number(typed);

/** The typed whole number; null if empty. NaN, which no schema accepts, if there are decimals. */
export const wholeNumberOf = (typed: string): number | null =>
  typed.trim() === "" ? null : wholeNumber(typed);
