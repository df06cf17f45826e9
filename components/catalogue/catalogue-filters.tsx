import type { FormEvent } from "react";
import { Button } from "@/components/ui/button";
import { ChipButton } from "@/components/ui/chip";
import { SelectField, TextField } from "@/components/ui/field";
import { NumberField } from "@/components/ui/number-field";
import type { CatalogueLabel } from "@/lib/catalogue/rules";
import type { CatalogueView, SortDirection } from "@/lib/catalogue/schemas";
import { centsOfQuery } from "@/lib/money";
import type { ProductType } from "@/lib/shop/product-type";

/** The values of the text fields as typed. */
export type FilterTexts = { search: string; min: string; max: string };

type CatalogueFiltersProps = {
  categories: readonly CatalogueLabel[];
  tag: CatalogueLabel | null;
  view: CatalogueView;
  texts: FilterTexts;
  onChange: (part: Partial<CatalogueView>) => void;
  onText: (part: Partial<FilterTexts>) => void;
  onCommit: (event?: FormEvent) => void;
};

/** The filters: a plain GET form to /products, which works before and without JavaScript. */
export function CatalogueFilters(props: CatalogueFiltersProps) {
  const { categories, tag, ...fields } = props;
  const { view, onChange, onCommit } = fields;
  return (
    <form action="/products" noValidate onSubmit={onCommit} className="mt-6 space-y-6 print:hidden">
      {/* Enter activates a form's first submit button: this one keeps the category. */}
      <button
        type="submit"
        name="category"
        value={view.categoryId ?? ""}
        tabIndex={-1}
        aria-hidden="true"
        className="sr-only"
      />
      <CategoryChoice categories={categories} view={view} onChange={onChange} />
      {tag && (
        <p className="flex flex-wrap items-center gap-2 text-muted text-sm">
          <input type="hidden" name="tags.id" value={tag.id} />
          Étiquette&nbsp;:
          <ChipButton color={tag.color} size="sm" onClick={() => onChange({ tagId: undefined })}>
            <span>{tag.name}</span> <span aria-hidden="true">×</span>
            <span className="sr-only">(retirer)</span>
          </ChipButton>
        </p>
      )}
      <FilterFields {...fields} />
      <p className="hidden noscript:block">
        <Button type="submit" name="category" value={view.categoryId ?? ""}>
          Filtrer
        </Button>
      </p>
    </form>
  );
}

type FilterFieldsProps = Omit<CatalogueFiltersProps, "categories" | "tag">;

function FilterFields({ view, texts, onChange, onText, onCommit }: FilterFieldsProps) {
  return (
    <div className="grid grid-cols-2 gap-x-3 gap-y-4 md:grid-cols-4 lg:grid-cols-6">
      <TextField
        id="filter-search"
        label="Rechercher"
        type="search"
        name="search"
        placeholder="Rechercher un produit"
        maxLength={200}
        autoComplete="off"
        value={texts.search}
        onChange={(event) => onText({ search: event.target.value })}
        className="col-span-2"
      />
      <SelectField
        id="filter-type"
        label="Type"
        name="type"
        value={view.type ?? ""}
        onChange={(event) => onChange({ type: chosen<ProductType>(event.target.value) })}
      >
        <option value="">Tous</option>
        <option value="digital">Digital</option>
        <option value="physical">Physique</option>
      </SelectField>
      <div className="grid grid-cols-2 gap-2">
        {PRICES.map(({ key, ...field }) => (
          <NumberField
            key={key}
            {...field}
            min={0}
            step={0.01}
            placeholder="€"
            value={texts[key]}
            error={priceError(texts[key])}
            onChange={(event) => onText({ [key]: event.target.value })}
            onBlur={() => onCommit()}
          />
        ))}
      </div>
      <SelectField
        id="filter-price-sort"
        label="Trier par prix"
        name="price_sort"
        value={view.priceSort ?? ""}
        onChange={(event) => onChange({ priceSort: chosen<SortDirection>(event.target.value) })}
      >
        <option value="">Sans tri</option>
        <option value="asc">Croissant</option>
        <option value="desc">Décroissant</option>
      </SelectField>
      <SelectField
        id="filter-date-sort"
        label="Trier par date"
        name="date_sort"
        value={view.dateSort ? (view.dateSort === "asc" ? "oldest" : "newest") : ""}
        onChange={(event) => {
          const sort = chosen<"oldest" | "newest">(event.target.value);
          onChange({ dateSort: sort && (sort === "oldest" ? "asc" : "desc") });
        }}
      >
        <option value="">Sans tri</option>
        <option value="newest">Plus récents</option>
        <option value="oldest">Plus anciens</option>
      </SelectField>
    </div>
  );
}

const PRICES = [
  { key: "min", id: "filter-min", label: "Prix min", name: "min_price" },
  { key: "max", id: "filter-max", label: "Prix max", name: "max_price" },
] as const;

/** The error for a typed price that is invalid, and therefore filters nothing. */
const priceError = (text: string) =>
  text.trim() && centsOfQuery(text) === null ? "Prix non valable." : null;

/** The value of a select whose options are all of type `T`; undefined if empty. */
const chosen = <T extends string>(value: string) => (value ? (value as T) : undefined);

function CategoryChoice({
  categories,
  view,
  onChange,
}: Pick<CatalogueFiltersProps, "categories" | "view" | "onChange">) {
  const all = { id: undefined, name: "Tous les produits", color: null };
  return (
    <fieldset className="-mx-gutter flex min-w-0 gap-2 overflow-x-auto px-gutter py-1 [scrollbar-width:none] md:mx-0 md:flex-wrap md:px-0">
      <legend className="sr-only">Catégories</legend>
      {[all, ...categories].map(({ id, name, color }) => (
        <ChipButton
          key={id ?? "all"}
          type="submit"
          name="category"
          value={id ?? ""}
          color={color}
          aria-pressed={view.categoryId === id}
          onClick={(event) => {
            event.preventDefault();
            onChange({ categoryId: id });
          }}
        >
          {name}
        </ChipButton>
      ))}
    </fieldset>
  );
}
