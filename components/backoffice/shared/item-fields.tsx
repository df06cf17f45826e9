"use client";

import type { Input } from "@/components/backoffice/crud/crud-field";
import { LinesFieldset } from "@/components/backoffice/forms/lines-fieldset";
import { type Option, SearchSelect } from "@/components/backoffice/forms/search-select";
import { NumberField } from "@/components/ui/number-field";
import type { itemResource } from "@/lib/backoffice/resource";
import type { JsonOf } from "@/lib/http/api/resource";
import { centsOfAmount } from "@/lib/money";
import { wholeNumber } from "@/lib/numbers";
import { PRODUCTS } from "./option-sources";

// Products and quantities: the lines of carts and orders.

type Item = JsonOf<ReturnType<typeof itemResource>>;

export interface ItemValues {
  key: string;
  /** Null for a new line. */
  id: number | null;
  product: Option | null;
  quantity: string;
}

const itemValues = ({ id, product, quantity }: Item): ItemValues => ({
  key: `line-${id}`,
  id,
  product: itemOption(product),
  quantity: String(quantity),
});

/** Stands for the id of a deleted product. */
const DELETED_PRODUCT_ID = 0;

const itemOption = ({ id, name, price }: Item["product"]): Option =>
  id === null
    ? { id: DELETED_PRODUCT_ID, label: `${name} (supprimé)`, price }
    : { id, label: name, price };

const isProductDeleted = ({ product }: ItemValues) => product?.id === DELETED_PRODUCT_ID;

/**
 * The lines as the API takes them, each by its product, or by its own id if the product was deleted.
 * Unchanged lines are not sent, so that they stay as they were bought.
 */
export function itemsJson(
  values: readonly ItemValues[],
  { saved, writeId }: { saved: readonly Item[] | undefined; writeId: (id: unknown) => unknown },
) {
  if (saved && JSON.stringify(values) === JSON.stringify(saved.map(itemValues))) return undefined;
  return values.map((item) => ({
    ...(isProductDeleted(item)
      ? { id: item.id, product: null }
      : { product: writeId(item.product?.id) }),
    quantity: wholeNumber(item.quantity),
  }));
}

export const isComplete = ({ product, quantity }: ItemValues) =>
  product !== null && wholeNumber(quantity) >= 1;

/**
 * The total of the lines in cents; null if there are none, or one is incomplete.
 *
 * @param saved the saved lines, whose products keep the price at which they were bought
 */
export function sumCents(items: readonly ItemValues[], saved: readonly Item[] = []): number | null {
  if (items.length === 0 || !items.every(isComplete)) return null;
  const bought = new Map(saved.map(({ product }) => [product.id, product.price]));
  return items.reduce((sum, { product, quantity }) => {
    const price = bought.get(product?.id ?? null) ?? product?.price ?? 0;
    return sum + centsOfAmount(price) * wholeNumber(quantity);
  }, 0);
}

const twoDecimals = new Intl.NumberFormat("fr-FR", {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
  useGrouping: false,
});

/** "12,50 €": two decimals and a comma, without grouping of thousands. */
export const commaPrice = (euros: number) => `${twoDecimals.format(centsOfAmount(euros) / 100)} €`;

interface ItemsOptions {
  /** The most pieces of one product. */
  max: number;
  /** In a cart the quantity of a deleted product is fixed: nobody can buy it. */
  isCart?: boolean;
}

/** The lines, each of which can be changed or removed, and a button that adds a line. */
export const itemsInput = ({
  max,
  isCart,
}: ItemsOptions): Input<readonly ItemValues[], unknown, readonly Item[]> => ({
  empty: [],
  read: (items) => items.map(itemValues),
  render: (props) => (
    <LinesFieldset
      {...props}
      texts={{
        none: "Aucun article",
        add: "Ajouter un article",
        line: "Article",
        remove: "Retirer l’article",
      }}
      newLine={(key) => ({ key, id: null, product: null, quantity: "1" })}
      lineClass="grid-cols-[1fr_auto] max-sm:border-line max-sm:border-b max-sm:pb-3 sm:grid-cols-[1fr_5rem_auto]"
    >
      {({ line: item, change, errorId }) => (
        <>
          <SearchSelect
            label="Produit"
            className="max-sm:col-span-2"
            source={PRODUCTS}
            value={item.product}
            onChange={(product) => change({ product })}
            errorId={errorId && !item.product ? errorId : undefined}
          />
          <NumberField
            label="Quantité"
            min={1}
            max={max}
            step={1}
            value={item.quantity}
            disabled={isCart && isProductDeleted(item)}
            onChange={({ target }) => change({ quantity: target.value })}
            errorId={errorId && !(wholeNumber(item.quantity) >= 1) ? errorId : undefined}
          />
        </>
      )}
    </LinesFieldset>
  ),
});
