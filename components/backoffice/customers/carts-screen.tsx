"use client";

import type { CrudEntity } from "@/components/backoffice/crud/crud-entity";
import type { FieldsOf, ValuesOf } from "@/components/backoffice/crud/crud-field";
import { CrudScreen } from "@/components/backoffice/crud/crud-screen";
import { searchInput } from "@/components/backoffice/forms/inputs";
import {
  commaPrice,
  isComplete,
  itemsInput,
  itemsJson,
} from "@/components/backoffice/shared/item-fields";
import { fullName, USERS, USERS_WITHOUT_CART } from "@/components/backoffice/shared/option-sources";
import { CUSTOMER_COLUMN, USER_FILTER } from "@/components/backoffice/shared/person-columns";
import { ProductImage } from "@/components/catalogue/product-image";
import type { adminCartResource } from "@/lib/cart/admin-resource";
import { adminCartChange, adminCartInput } from "@/lib/cart/admin-schemas";
import { MAX_QUANTITY } from "@/lib/cart/limits";
import type { JsonOf } from "@/lib/http/api/resource";

type CartRow = JsonOf<typeof adminCartResource>;

const INCOMPLETE_ITEM = "Chaque article doit avoir un produit et une quantité d'au moins 1.";

const fields = {
  user: {
    label: "Utilisateur",
    column: CUSTOMER_COLUMN,
    input: searchInput(USERS, (cart) =>
      cart
        ? {}
        : {
            source: USERS_WITHOUT_CART,
            hint: "Les utilisateurs qui n’ont pas encore de panier.",
          },
    ),
  },
  items: {
    label: "Articles",
    column: {
      label: "Contenu du panier",
      className: "lg:w-full",
      cell: ({ items }) => <CartItems items={items} />,
    },
    input: itemsInput({ max: MAX_QUANTITY, isCart: true }),
  },
} satisfies FieldsOf<CartRow>;

function CartItems({ items }: Pick<CartRow, "items">) {
  if (items.length === 0) return <span className="text-muted">Aucun article</span>;
  return (
    <ul className="flex flex-col gap-2">
      {items.map(({ id, product, quantity }) => (
        // The card layout has no room for three columns: the price is below the name.
        <li key={id} className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 lg:flex">
          <ProductImage
            image={product.image}
            alt=""
            use="thumbnail"
            className="row-span-2 size-12 shrink-0 rounded-sm bg-surface"
          />
          <div className="min-w-0 flex-1">
            <p className="font-medium">{product.name}</p>
            {product.description && (
              <p className="line-clamp-2 max-w-prose text-muted text-xs">{product.description}</p>
            )}
          </div>
          <p className="shrink-0 tabular-nums lg:text-right">
            <span>{commaPrice(product.price)}</span>
            <span className="block text-muted text-xs">{`Quantité\u00a0: ${quantity}`}</span>
          </p>
        </li>
      ))}
    </ul>
  );
}

const carts: CrudEntity<CartRow, ValuesOf<typeof fields>> = {
  path: "/api/carts",
  heading: "Gestion des paniers (CRUD)",
  addLabel: "Ajouter un panier",
  editTitle: "Modifier le panier",
  emptyText: "Aucun panier trouvé.",
  deleteQuestion: "Supprimer ce panier ?",
  saveFailed: "Erreur lors de la sauvegarde du panier.",
  searchHint: "Nom, e-mail du client",
  historyName: "Cart",
  nameOf: ({ user }) => `Panier de ${fullName(user)}`,
  fileName: "paniers",
  formSize: "lg",
  fields,
  filters: [USER_FILTER],
  schema: (_, row) => (row ? adminCartChange : adminCartInput),
  check: ({ items }) =>
    items.every(isComplete) ? [] : [{ field: "items", message: INCOMPLETE_ITEM }],
  toJson: ({ user, items }, row) => ({
    // Null instead of undefined: the API keeps a field that is not sent.
    user: user?.id ?? null,
    items: itemsJson(items, { saved: row?.items, writeId: Number }),
  }),
};

export const BackofficeCartsScreen = () => <CrudScreen entity={carts} />;
