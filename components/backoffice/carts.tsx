"use client";

import { ProductImage } from "@/components/catalogue/product-image";
import type { Problem } from "@/lib/backoffice/rules";
import { REQUIRED } from "@/lib/texts";
import { CUSTOMER_COLUMN, ID_COLUMN } from "./columns";
import type { Column, CrudEntity, CrudRow, FieldsProps } from "./crud-entity";
import { CrudScreen } from "./crud-screen";
import {
  areUnchanged,
  commaPrice,
  type Item,
  ItemFields,
  type ItemValues,
  isComplete,
  itemJson,
  itemValues,
} from "./item-fields";
import { USERS_WITHOUT_CART, type UserRef, userOption } from "./options";
import type { Option } from "./search-select";
import { UserField } from "./user-field";

interface CartRow extends CrudRow {
  user: UserRef;
  items: readonly Item[];
}

interface CartValues {
  user: Option | null;
  items: readonly ItemValues[];
}

const INCOMPLETE_ITEM = "Chaque article doit avoir un produit et une quantité d'au moins 1.";

const columns: readonly Column<CartRow>[] = [
  ID_COLUMN,
  CUSTOMER_COLUMN,
  {
    id: "items",
    label: "Contenu du panier",
    className: "lg:w-full",
    cell: ({ items }) =>
      items.length === 0 ? (
        <span className="text-muted">Aucun article</span>
      ) : (
        <ul className="flex flex-col gap-2">
          {items.map(({ id, product, quantity }) => (
            // In the card layout there is no room for three columns: the price is below the name.
            <li key={id} className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 lg:flex">
              <ProductImage
                image={product?.image ?? null}
                alt=""
                use="thumbnail"
                className="row-span-2 size-12 shrink-0 rounded-sm bg-surface object-cover"
              />
              <div className="min-w-0 flex-1">
                <p className="font-medium">{product?.name ?? "Produit supprimé"}</p>
                {product?.description && (
                  <p className="line-clamp-2 max-w-prose text-muted text-xs">
                    {product.description}
                  </p>
                )}
              </div>
              <p className="shrink-0 tabular-nums lg:text-right">
                {product && commaPrice(product.price)}
                <span className="block text-muted text-xs">Quantité&nbsp;: {quantity}</span>
              </p>
            </li>
          ))}
        </ul>
      ),
  },
];

function CartFields({ values, set, problem, row }: FieldsProps<CartRow, CartValues>) {
  return (
    <>
      <UserField
        value={values.user}
        onChange={(user) => set("user", user)}
        {...(!row && {
          source: USERS_WITHOUT_CART,
          hint: "Les utilisateurs qui n’ont pas encore de panier.",
        })}
        {...problem("user")}
      />
      <ItemFields
        items={values.items}
        onChange={(items) => set("items", items)}
        isCart
        errorId={problem("items").errorId}
      />
    </>
  );
}

function check({ user, items }: CartValues): Problem[] {
  const problems: Problem[] = [];
  if (!user) problems.push({ field: "user", message: REQUIRED });
  if (!items.every(isComplete)) problems.push({ field: "items", message: INCOMPLETE_ITEM });
  return problems;
}

const carts: CrudEntity<CartRow, CartValues> = {
  path: "/api/carts",
  heading: "Gestion des paniers (CRUD)",
  addLabel: "Ajouter un panier",
  editTitle: "Modifier le panier",
  emptyText: "Aucun panier trouvé.",
  deleteQuestion: "Supprimer ce panier ?",
  saveFailed: "Erreur lors de la sauvegarde du panier.",
  searchHint: "Nom, e-mail du client",
  historyName: "Cart",
  fileName: "paniers",
  formSize: "lg",
  columns,
  filters: [],
  newValues: () => ({ user: null, items: [] }),
  valuesOf: ({ user, items }) => ({ user: userOption(user), items: items.map(itemValues) }),
  labels: { user: "Utilisateur", items: "Articles" },
  check,
  request: ({ user, items }, row) => ({
    method: row ? "PUT" : "POST",
    path: row ? `/api/carts/${row.id}` : "/api/carts",
    json: {
      user: user?.id,
      ...(!(row && areUnchanged(items, row.items)) && {
        items: items.map((item) => itemJson(item, Number)),
      }),
    },
  }),
  deletePath: ({ id }) => `/api/carts/${id}`,
  Fields: CartFields,
};

export function AdminCartsScreen() {
  return <CrudScreen entity={carts} />;
}
