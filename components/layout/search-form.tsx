import { SearchIcon } from "@/components/ui/icons";

/** Searches the catalogue: a plain form, so that it works before and without JavaScript. */
export function SearchForm({ className }: { className?: string }) {
  return (
    <search className={className}>
      <form action="/products" className="relative">
        <SearchIcon
          size={18}
          className="pointer-events-none absolute top-1/2 left-3.5 -translate-y-1/2 text-muted"
        />
        <input
          type="search"
          name="search"
          aria-label="Trouver un produit"
          placeholder="Trouver un produit"
          autoComplete="off"
          enterKeyHint="search"
          maxLength={200}
          className="h-11 w-full rounded-full border border-transparent bg-surface pr-4 pl-10 placeholder:text-muted hover:border-line-strong focus:border-accent focus:bg-bg focus:outline-2 focus:outline-accent focus:outline-offset-1"
        />
      </form>
    </search>
  );
}
