"use client";

import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { CloseIcon, PlusIcon } from "@/components/ui/icons";
import type { itemResource } from "@/lib/backoffice/resource";
import type { JsonOf } from "@/lib/http/api/resource";
import { centsOfAmount } from "@/lib/money";
import type { Input } from "./crud-field";
import { PRODUCTS } from "./options";
import { type Option, SearchSelect } from "./search-select";

// Products and quantities: the lines of carts and orders.

type Item = JsonOf<ReturnType<typeof itemResource>>;

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
  product: itemOption(product),
  quantity: String(quantity),
});

/** In place of the id of a deleted product. */
const DELETED_PRODUCT_ID = 0;

const itemOption = ({ id, name }: Item["product"]): Option =>
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

interface ItemsOptions {
  /** The most pieces of one product. */
  max: number;
  /** In a cart the quantity of a deleted product is fixed: nobody can buy it. */
  isCart?: boolean;
}

/** The lines, each of which can be changed or removed, and a button that adds one. */
export const itemsInput = (options: ItemsOptions): Input<readonly ItemValues[]> => ({
  empty: [],
  render: ({ label, value, onChange, problem: { errorId } }) => (
    <fieldset
      className="flex flex-col gap-3 rounded-md border border-line p-4"
      aria-describedby={errorId}
    >
      <legend className="px-1 font-medium text-sm">{label}</legend>
      {value.length === 0 && <p className="text-muted text-sm">Aucun article</p>}
      {value.map((item, index) => (
        <ItemFields
          key={item.key}
          item={item}
          place={index + 1}
          {...options}
          onChange={(next) => onChange(value.map((each) => (each === item ? next : each)))}
          onRemove={() => onChange(value.filter((each) => each !== item))}
          errorId={errorId}
        />
      ))}
      <Button
        variant="secondary"
        size="sm"
        className="w-fit"
        onClick={() => onChange([...value, newItem()])}
      >
        <PlusIcon size={16} />
        Ajouter un article
      </Button>
    </fieldset>
  ),
});

interface ItemFieldsProps extends ItemsOptions {
  item: ItemValues;
  /** From 1. */
  place: number;
  onChange: (item: ItemValues) => void;
  onRemove: () => void;
  errorId: string | undefined;
}

function ItemFields({ item, place, max, isCart, onChange, onRemove, errorId }: ItemFieldsProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset in a fieldset says too much
    <div
      role="group"
      aria-label={`Article ${place}`}
      className="grid grid-cols-[1fr_auto] items-end gap-3 max-sm:border-line max-sm:border-b max-sm:pb-3 sm:grid-cols-[1fr_5rem_auto]"
    >
      <SearchSelect
        label="Produit"
        className="max-sm:col-span-2"
        source={PRODUCTS}
        value={item.product}
        onChange={(product) => onChange({ ...item, product })}
        errorId={errorId && !item.product ? errorId : undefined}
      />
      <TextField
        type="number"
        label="Quantité"
        min={1}
        max={max}
        step={1}
        value={item.quantity}
        disabled={isCart && isProductDeleted(item)}
        onChange={({ target }) => onChange({ ...item, quantity: target.value })}
        errorId={errorId && !(Number(item.quantity) >= 1) ? errorId : undefined}
      />
      <button
        type="button"
        aria-label={`Retirer l’article ${place}`}
        className="grid size-11 place-items-center rounded-md text-muted hover:bg-surface hover:text-ink"
        onClick={onRemove}
      >
        <CloseIcon size={18} />
      </button>
    </div>
  );
}
