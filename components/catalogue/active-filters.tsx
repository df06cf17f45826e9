import type { ReactNode } from "react";
import { CloseIcon } from "@/components/ui/icons";
import { type ActiveFilter, withoutFilters } from "@/lib/catalogue/active-filters";
import type { CatalogueView } from "@/lib/catalogue/schemas";
import { queryOfView } from "@/lib/catalogue/url";

type ActiveFiltersProps = {
  view: CatalogueView;
  filters: readonly ActiveFilter[];
  onChange: (view: CatalogueView) => void;
};

/** The filters that are set, each with a button that removes it, and a button that removes all. */
export function ActiveFilters({ view, filters, onChange }: ActiveFiltersProps) {
  if (filters.length === 0) return null;
  return (
    <>
      <ul
        aria-label="Filtres actifs"
        // Positioned, so that it clips the hidden words of its buttons, too.
        className="scroll-fade -m-1.5 relative flex min-w-0 items-center gap-2 overflow-x-auto p-1.5 [scrollbar-width:none] md:flex-wrap print:hidden"
      >
        {filters.map(({ name, without }) => (
          <li key={`${name} ${JSON.stringify(without)}`} className="shrink-0">
            <ViewButton
              view={{ ...view, ...without, page: 1 }}
              onChange={onChange}
              className="chip-active"
            >
              <span className="sr-only">Retirer le filtre </span>
              <span className="max-w-60 truncate">{name}</span>
              <CloseIcon size={14} className="shrink-0" />
            </ViewButton>
          </li>
        ))}
      </ul>
      {/* Beside the list, so that it is in sight however many filters are set. */}
      <div className="max-w-2/5 shrink-0 print:hidden">
        <ViewButton
          view={withoutFilters(view)}
          onChange={onChange}
          className="link min-h-8 px-1 text-sm"
        >
          Tout effacer
        </ViewButton>
      </div>
    </>
  );
}

type ViewButtonProps = {
  view: CatalogueView;
  onChange: (view: CatalogueView) => void;
  className: string;
  children: ReactNode;
};

/** A button that leads to a view; without JavaScript by a form of its own. */
function ViewButton({ view, onChange, className, children }: ViewButtonProps) {
  return (
    <form
      action="/products"
      onSubmit={(event) => {
        event.preventDefault();
        onChange(view);
      }}
    >
      {[...queryOfView(view)].map(([name, value]) => (
        <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
      ))}
      <button type="submit" className={className}>
        {children}
      </button>
    </form>
  );
}
