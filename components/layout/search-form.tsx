import { SearchBox } from "@/components/catalogue/search-box";

type SearchFormProps = {
  /** In a panel that scrolls. */
  inFlow?: boolean;
  className?: string;
};

/** Searches the catalogue: a plain form, so that it works before and without JavaScript. */
export function SearchForm({ inFlow, className }: SearchFormProps) {
  return (
    <search className={className}>
      <form action="/products" className="rounded-full">
        <SearchBox
          label="Trouver un produit"
          placeholder="Rechercher"
          inFlow={inFlow ?? false}
          inputClass="h-11 w-full rounded-full border border-transparent bg-surface pl-5 placeholder:text-muted hover:border-line-strong focus:border-accent focus:bg-bg focus:outline-2 focus:outline-accent focus:outline-offset-1"
        />
      </form>
    </search>
  );
}
