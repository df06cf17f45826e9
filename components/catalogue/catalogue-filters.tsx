import clsx from "clsx";
import {
  type ComponentProps,
  type ComponentType,
  type FormEvent,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useRef,
  useState,
} from "react";
import { FacetGroups } from "@/components/catalogue/facet-groups";
import type { FilterSheet as Sheet } from "@/components/catalogue/filter-sheet";
import { SearchBox } from "@/components/catalogue/search-box";
import { Button } from "@/components/ui/button";
import { ChipButton } from "@/components/ui/chip";
import { SelectField } from "@/components/ui/field";
import { FilterIcon, SortIcon } from "@/components/ui/icons";
import { NumberField } from "@/components/ui/number-field";
import type { Facets } from "@/lib/catalogue/facet-schemas";
import { type CatalogueLabel, productCount } from "@/lib/catalogue/rules";
import type { CatalogueView, SortDirection } from "@/lib/catalogue/schemas";
import { queryOfView } from "@/lib/catalogue/url";
import { centsOfQuery } from "@/lib/money";
import type { ProductType } from "@/lib/shop/product-type";

/** Loaded when it is opened first. If that fails, its content is shown in the page. */
const FilterSheet = lazy<ComponentType<ComponentProps<typeof Sheet>>>(() =>
  import("@/components/catalogue/filter-sheet").then(
    (module) => ({ default: module.FilterSheet }),
    () => ({ default: ({ open, children }: ComponentProps<typeof Sheet>) => open && children }),
  ),
);

/** The values of the text fields as typed. */
export type FilterTexts = { search: string; min: string; max: string };

type CatalogueFiltersProps = {
  categories: readonly CatalogueLabel[];
  facets: Facets | null;
  /** The counts of the facets are those of the view. */
  areCounted: boolean;
  /** The counts could not be loaded. */
  hasFailed: boolean;
  /** Some category offers characteristics as filters. */
  hasCharacteristics: boolean;
  view: CatalogueView;
  texts: FilterTexts;
  /** Milliseconds after which the typed search takes effect; 0 if it has. */
  searchDelay: number;
  /** The number of filters that are set, and of products; null while that is unknown. */
  filterCount: number;
  total: number | null;
  onChange: (part: Partial<CatalogueView>) => void;
  onText: (part: Partial<FilterTexts>) => void;
  onCommit: (event?: FormEvent) => void;
};

/**
 * The filters: a plain GET form to /products, which works before and without JavaScript. On a phone, the fields are in a
 * sheet that two buttons open; without JavaScript, they are always visible.
 */
export function CatalogueFilters(props: CatalogueFiltersProps) {
  const { categories, filterCount, total, ...fields } = props;
  const { view, facets, onChange, onCommit } = fields;
  const [sheet, setSheet] = useState<{ part: "filters" | "sort"; isOpen: boolean } | null>(null);
  const open = (part: "filters" | "sort") => setSheet({ part, isOpen: true });
  // It stays in the document, so that closing it gives the focus back.
  const close = () => setSheet((last) => last && { ...last, isOpen: false });
  const hasSort = Boolean(view.priceSort ?? view.dateSort);
  return (
    <form
      action="/products"
      noValidate
      onSubmit={(event) => {
        close();
        onCommit(event);
      }}
      className="mt-1 md:mt-6 print:hidden"
    >
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
      {!facets && <FurtherFilters view={view} />}
      <div className="mt-1.5 grid grid-cols-2 gap-2 md:hidden noscript:hidden">
        <SheetButton onClick={() => open("filters")} isSet={filterCount > 0}>
          <FilterIcon size={18} />
          <span>{filterCount > 0 ? `Filtres (${filterCount})` : "Filtres"}</span>
        </SheetButton>
        <SheetButton onClick={() => open("sort")} isSet={hasSort}>
          <SortIcon size={18} />
          Trier
        </SheetButton>
      </div>
      {sheet && (
        <Suspense fallback={null}>
          <FilterSheet
            open={sheet.isOpen}
            title={sheet.part === "filters" ? "Filtres" : "Trier"}
            closeLabel={
              total === null ? "Voir les produits" : `Voir ${productCount(total).toLowerCase()}`
            }
            onClose={close}
          >
            {sheet.part === "filters" ? (
              <>
                <div className="grid grid-cols-2 gap-x-3 gap-y-4">
                  <FilterFields {...fields} />
                </div>
                <FacetGroups {...fields} isSheet />
              </>
            ) : (
              <div className="grid gap-4">
                <SortFields {...fields} />
              </div>
            )}
          </FilterSheet>
        </Suspense>
      )}
      {!sheet?.isOpen && (
        <div className="max-md:hidden noscript:max-md:block">
          <div className="mt-6 grid grid-cols-2 gap-x-3 gap-y-4 md:grid-cols-4 lg:grid-cols-6">
            <FilterFields {...fields} />
            <SortFields {...fields} />
          </div>
          <FacetGroups {...fields} isSheet={false} />
        </div>
      )}
      <p className="mt-4 hidden noscript:block">
        <Button type="submit" name="category" value={view.categoryId ?? ""}>
          Filtrer
        </Button>
      </p>
    </form>
  );
}

/** The filters that are set but have no fields while they are not counted: sent with the form. */
function FurtherFilters({ view }: { view: CatalogueView }) {
  const { tagId, tagIds, minRating, characteristics } = view;
  const further = { tagId, tagIds, minRating, characteristics, page: 1 };
  return [...queryOfView(further)].map(([name, value]) => (
    <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
  ));
}

type SheetButtonProps = { onClick: () => void; isSet: boolean; children: ReactNode };

function SheetButton({ onClick, isSet, children }: SheetButtonProps) {
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      onClick={onClick}
      className={clsx(
        "flex min-h-11 items-center justify-center gap-2 rounded-md border font-medium text-sm",
        isSet ? "border-accent bg-accent-soft text-accent" : "border-line-strong",
      )}
    >
      {children}
    </button>
  );
}

type FieldsProps = Pick<
  CatalogueFiltersProps,
  "view" | "texts" | "searchDelay" | "onChange" | "onText" | "onCommit"
>;

function FilterFields({ view, texts, searchDelay, onChange, onText, onCommit }: FieldsProps) {
  return (
    <>
      <div className="col-span-2 flex flex-col gap-1.5">
        <div className="flex items-baseline gap-2">
          <label htmlFor="filter-search" className="font-medium text-sm">
            Rechercher
          </label>
          {searchDelay > 0 && <span className="text-muted text-xs">Entrée pour chercher</span>}
        </div>
        <SearchBox
          id="filter-search"
          placeholder="Rechercher un produit"
          value={texts.search}
          onText={(search) => onText({ search })}
          sends={{ name: "category", value: view.categoryId ?? "" }}
          delay={searchDelay}
          inputClass="control"
        />
      </div>
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
    </>
  );
}

function SortFields({ view, onChange }: FieldsProps) {
  return (
    <>
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
    </>
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

/** Pixels at the ends of a row in which buttons fade out (globals.css). */
const FADE = 48;

/** Scrolls the button to the middle of its row if it is not in full sight. scrollIntoView() would move the page, too. */
function showInRow(button: Element): void {
  const row = button.parentElement;
  if (!row) return;
  const [edges, { left, right }] = [row.getBoundingClientRect(), button.getBoundingClientRect()];
  if (left < edges.left + FADE || right > edges.right - FADE)
    row.scrollLeft += (left + right - edges.left - edges.right) / 2;
}

/** One line, which scrolls if it is longer than the page is wide. */
function CategoryChoice({
  categories,
  view,
  onChange,
}: Pick<CatalogueFiltersProps, "categories" | "view" | "onChange">) {
  const all = { id: undefined, name: "Tous les produits", color: null };
  const row = useRef<HTMLFieldSetElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the chosen button depends on it
  useEffect(() => {
    const chosen = row.current?.querySelector("[aria-pressed=true]");
    if (chosen) showInRow(chosen);
  }, [view.categoryId]);

  return (
    <fieldset
      ref={row}
      // For the keyboard only: a row that moves under a pressed mouse button would lose the click.
      onFocus={({ target }) => {
        if (target.matches(":focus-visible")) showInRow(target);
      }}
      className="category-row scroll-fade -mx-gutter flex min-w-0 gap-2 overflow-x-auto px-gutter py-1 lg:gap-1 lg:pr-2"
    >
      <legend className="sr-only">Catégories</legend>
      {[all, ...categories].map(({ id, name, color }) => (
        <ChipButton
          key={id ?? "all"}
          type="submit"
          name="category"
          value={id ?? ""}
          color={color}
          aria-pressed={view.categoryId === id}
          className="lg:min-h-9 lg:px-2.5 lg:text-xs"
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
