import type { FormEvent } from "react";
import { Button } from "@/components/ui/button";
import { ChipButton } from "@/components/ui/chip";
import { SelectField, TextField } from "@/components/ui/field";
import type { CatalogueLabel } from "@/lib/catalogue/rules";
import type { CatalogueView, SortDirection } from "@/lib/catalogue/schemas";
import { centsOfQuery } from "@/lib/money";
import type { ProductType } from "@/lib/product-type";

/** The text fields, as they are typed. */
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
  const { categories, tag, view, texts, onChange, onText, onCommit } = props;
  return (
    <form action="/products" noValidate onSubmit={onCommit} className="mt-6 space-y-6">
      {/* Enter activates a form's first submit button: this one keeps the category. */}
      <button
        type="submit"
        name="category"
        value={view.categoryId ?? ""}
        tabIndex={-1}
        aria-hidden="true"
        className="sr-only"
      />
      <CategoryChoice categories={categories} chosenId={view.categoryId} onChoose={onChange} />
      {tag && (
        <p className="flex flex-wrap items-center gap-2 text-muted text-sm">
          <input type="hidden" name="tags.id" value={tag.id} />
          Étiquette&nbsp;:
          <ChipButton color={tag.color} size="sm" onClick={() => onChange({ tagId: undefined })}>
            {tag.name} <span aria-hidden="true">×</span>
            <span className="sr-only">(retirer)</span>
          </ChipButton>
        </p>
      )}
      <FilterFields
        view={view}
        texts={texts}
        onChange={onChange}
        onText={onText}
        onCommit={onCommit}
      />
      <p className="hidden noscript:block">
        <Button type="submit" name="category" value={view.categoryId ?? ""}>
          Filtrer
        </Button>
      </p>
    </form>
  );
}

type FilterFieldsProps = Pick<
  CatalogueFiltersProps,
  "view" | "texts" | "onChange" | "onText" | "onCommit"
>;

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
        <TextField
          id="filter-min"
          label="Prix min"
          {...priceBox}
          name="min_price"
          value={texts.min}
          error={priceError(texts.min)}
          onChange={(event) => onText({ min: event.target.value })}
          onBlur={() => onCommit()}
        />
        <TextField
          id="filter-max"
          label="Prix max"
          {...priceBox}
          name="max_price"
          value={texts.max}
          error={priceError(texts.max)}
          onChange={(event) => onText({ max: event.target.value })}
          onBlur={() => onCommit()}
        />
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

const priceBox = {
  type: "number",
  inputMode: "decimal",
  min: 0,
  step: 0.01,
  placeholder: "€",
} as const;

/** The error for a typed price that is invalid, and therefore filters nothing. */
const priceError = (text: string) =>
  text.trim() && centsOfQuery(text) === null ? "Prix non valable." : null;

/** The value of a select whose options are all of type `T`; undefined if empty. */
const chosen = <T extends string>(value: string) => (value ? (value as T) : undefined);

type OnChange = CatalogueFiltersProps["onChange"];

type CategoryChoiceProps = {
  categories: readonly CatalogueLabel[];
  chosenId: number | undefined;
  onChoose: OnChange;
};

function CategoryChoice({ categories, chosenId, onChoose }: CategoryChoiceProps) {
  return (
    <fieldset className="-mx-gutter flex min-w-0 gap-2 overflow-x-auto px-gutter py-1 [scrollbar-width:none] md:mx-0 md:flex-wrap md:px-0">
      <legend className="sr-only">Catégories</legend>
      <CategoryButton isChosen={chosenId === undefined} onChoose={onChoose}>
        {{ id: undefined, name: "Tous les produits", color: null }}
      </CategoryButton>
      {categories.map((category) => (
        <CategoryButton key={category.id} isChosen={chosenId === category.id} onChoose={onChoose}>
          {category}
        </CategoryButton>
      ))}
    </fieldset>
  );
}

type CategoryButtonProps = {
  isChosen: boolean;
  onChoose: OnChange;
  children: { id: number | undefined; name: string; color: string | null };
};

function CategoryButton({
  isChosen,
  onChoose,
  children: { id, name, color },
}: CategoryButtonProps) {
  return (
    <ChipButton
      type="submit"
      name="category"
      value={id ?? ""}
      color={color}
      aria-pressed={isChosen}
      onClick={(event) => {
        event.preventDefault();
        onChoose({ categoryId: id });
      }}
    >
      {name}
    </ChipButton>
  );
}
