"use client";

import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { CloseIcon, PlusIcon } from "@/components/ui/icons";
import { centsOfAmount } from "@/lib/money";
import { PRODUCTS } from "./options";
import { type Option, SearchSelect } from "./search-select";

// Products and quantities: the lines of carts and orders.

/** A product as carts and orders show it. */
interface ItemProduct {
  /** Null if it was deleted since. */
  id: number | null;
  name: string;
  description?: string | null;
  /** Euros. */
  price: number;
  image?: string | null;
}

export interface Item {
  id: number;
  product: ItemProduct | null;
  quantity: number;
}

export interface ItemValues {
  /** React key: new lines have neither id nor product. */
  key: string;
  /** Null for a new line. */
  id: number | null;
  product: Option | null;
  quantity: string;
}

let lastKey = 0;

/** A new line: no product, one piece. */
function newItem(): ItemValues {
  lastKey += 1;
  return { key: `new-${lastKey}`, id: null, product: null, quantity: "1" };
}

export const itemValues = ({ id, product, quantity }: Item): ItemValues => ({
  key: `line-${id}`,
  id,
  product: product && itemOption(product),
  quantity: String(quantity),
});

/** In place of the id of a deleted product. */
const DELETED_PRODUCT_ID = 0;

const itemOption = ({ id, name }: ItemProduct): Option =>
  id === null ? { id: DELETED_PRODUCT_ID, label: `${name} (supprimé)` } : { id, label: name };

const isProductDeleted = ({ product }: ItemValues) => product?.id === DELETED_PRODUCT_ID;

/** A line as it is sent: by its product, or by its own id if the product was deleted. */
export const itemJson = (item: ItemValues, writeId: (id?: number) => string | number) => ({
  ...(isProductDeleted(item)
    ? { id: item.id, product: null }
    : { product: writeId(item.product?.id) }),
  quantity: Number(item.quantity),
});

/** Unchanged lines are not sent, so that they stay as they were bought. */
export function areUnchanged(values: readonly ItemValues[], items: readonly Item[]): boolean {
  return JSON.stringify(values) === JSON.stringify(items.map(itemValues));
}

export const isComplete = ({ product, quantity }: ItemValues) =>
  product !== null && Number.isInteger(Number(quantity)) && Number(quantity) >= 1;

const twoDecimals = new Intl.NumberFormat("fr-FR", {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
  useGrouping: false,
});

/** "12,50 €": two decimals and a comma, without grouping of thousands. */
export const commaPrice = (euros: number) => `${twoDecimals.format(centsOfAmount(euros) / 100)} €`;

interface ItemFieldsProps {
  items: readonly ItemValues[];
  onChange: (items: ItemValues[]) => void;
  /** In a cart the quantity of a deleted product is fixed: nobody can buy it. */
  isCart?: boolean;
  errorId?: string | undefined;
}

export function ItemFields({ items, onChange, isCart, errorId }: ItemFieldsProps) {
  const change = (key: string, part: Partial<ItemValues>) =>
    onChange(items.map((item) => (item.key === key ? { ...item, ...part } : item)));
  return (
    <fieldset
      className="flex flex-col gap-3 rounded-md border border-line p-4"
      aria-describedby={errorId}
    >
      <legend className="px-1 font-medium text-sm">Articles</legend>
      {items.length === 0 && <p className="text-muted text-sm">Aucun article</p>}
      {items.map((item, index) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset in a fieldset says too much
        <div
          key={item.key}
          role="group"
          aria-label={`Article ${index + 1}`}
          className="grid grid-cols-[1fr_auto] items-end gap-3 max-sm:border-line max-sm:border-b max-sm:pb-3 sm:grid-cols-[1fr_5rem_auto]"
        >
          <SearchSelect
            label="Produit"
            className="max-sm:col-span-2"
            source={PRODUCTS}
            value={item.product}
            onChange={(product) => change(item.key, { product })}
            errorId={errorId && !item.product ? errorId : undefined}
          />
          <TextField
            type="number"
            label="Quantité"
            min={1}
            step={1}
            value={item.quantity}
            disabled={isCart && isProductDeleted(item)}
            onChange={({ target }) => change(item.key, { quantity: target.value })}
            errorId={errorId && !(Number(item.quantity) >= 1) ? errorId : undefined}
          />
          <button
            type="button"
            aria-label={`Retirer l’article ${index + 1}`}
            className="grid size-11 place-items-center rounded-md text-muted hover:bg-surface hover:text-ink"
            onClick={() => onChange(items.filter(({ key }) => key !== item.key))}
          >
            <CloseIcon size={18} />
          </button>
        </div>
      ))}
      <Button
        variant="secondary"
        size="sm"
        className="w-fit"
        onClick={() => onChange([...items, newItem()])}
      >
        <PlusIcon size={16} />
        Ajouter un article
      </Button>
    </fieldset>
  );
}
