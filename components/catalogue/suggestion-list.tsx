"use client";

import clsx from "clsx";
import Link from "next/link";
import type { ReactNode, RefObject } from "react";
import { ProductImage } from "@/components/catalogue/product-image";
import { optionId, useSuggestions } from "@/components/catalogue/use-suggestions";
import { Price } from "@/components/ui/price";
import { categoryUrl, productUrl } from "@/lib/catalogue/rules";
import { searchUrl } from "@/lib/catalogue/url";

type SuggestionListProps = {
  input: RefObject<HTMLInputElement | null>;
  /** The id that the input names as its list. */
  listId: string;
  inFlow: boolean;
  /** The input's text, if a component keeps it. */
  text: string | undefined;
  /** The input's text before anything was typed. */
  firstText: string;
};

/**
 * The suggestions of a search field. The focus stays in the field: its attributes say whether the list is open and which
 * suggestion is active (WAI-ARIA, combobox with list autocomplete).
 */
export function SuggestionList({ input, listId, inFlow, text, firstText }: SuggestionListProps) {
  const { found, count, active, close } = useSuggestions({ input, listId, text, firstText });
  const isOpen = count > 0;
  const last = count;
  const { suggestions } = found ?? {};
  return (
    <>
      <p aria-live="polite" className="sr-only">
        {isOpen && (count === 1 ? "1 suggestion" : `${count} suggestions`)}
      </p>
      {found && suggestions && isOpen && (
        // The focus must stay in the field, or the list would close before the click.
        // biome-ignore lint/a11y/noStaticElementInteractions: no action of its own
        <div
          onMouseDown={(event) => event.preventDefault()}
          className={clsx(
            "z-50 mt-1.5 overflow-y-auto overscroll-contain rounded-lg border border-line bg-bg py-2 text-base text-ink shadow-overlay",
            inFlow ? "max-h-[50dvh]" : "absolute inset-x-0 top-full max-h-[min(32rem,70dvh)]",
          )}
        >
          {suggestions.corrected !== null && (
            <p className="px-4 pt-1 pb-2 text-muted text-sm">
              {`Résultats pour «\u00a0${suggestions.corrected}\u00a0»`}
            </p>
          )}
          <div id={listId} role="listbox" aria-label="Suggestions">
            {suggestions.categories.map((category, index) => (
              <Option
                key={`category-${category.id}`}
                id={optionId(listId, index)}
                isActive={active === index}
                href={categoryUrl(category)}
                onChoose={close}
              >
                <span className="min-w-0 flex-1 truncate">{category.name}</span>
                <span className="text-muted text-xs">Catégorie</span>
              </Option>
            ))}
            {suggestions.products.map((product, i) => {
              const index = suggestions.categories.length + i;
              return (
                <Option
                  key={product.id}
                  id={optionId(listId, index)}
                  isActive={active === index}
                  href={productUrl({ id: product.id, categoryId: null })}
                  onChoose={close}
                >
                  <span className="size-10 shrink-0 overflow-hidden rounded-sm bg-surface">
                    <ProductImage image={product.image} use="thumbnail" />
                  </span>
                  <span className="line-clamp-2 min-w-0 flex-1 text-sm">{product.name}</span>
                  <span className="shrink-0 text-right text-sm">
                    <Price euros={product.price} className="font-semibold" />
                    {product.availability === "sold_out" && (
                      <span className="block text-danger text-xs">Épuisé</span>
                    )}
                  </span>
                </Option>
              );
            })}
            <Option
              id={optionId(listId, last)}
              isActive={active === last}
              href={searchUrl(found.text)}
              onChoose={close}
              className="text-accent"
            >
              {`Tous les résultats pour «\u00a0${found.text}\u00a0»`}
            </Option>
          </div>
        </div>
      )}
    </>
  );
}

type OptionProps = {
  id: string;
  isActive: boolean;
  href: string;
  onChoose: () => void;
  className?: string;
  children: ReactNode;
};

/** A link, so that it can be opened in another tab as well. */
function Option({ id, isActive, href, onChoose, className, children }: OptionProps) {
  return (
    <Link
      id={id}
      role="option"
      aria-selected={isActive}
      tabIndex={-1}
      href={href}
      prefetch={false}
      onNavigate={() => {
        closePopover(document.getElementById(id));
        onChoose();
      }}
      className={clsx(
        "flex min-h-11 items-center gap-3 px-4 py-1.5 hover:bg-surface",
        isActive && "bg-accent-soft",
        className,
      )}
    >
      {children}
    </Link>
  );
}

/** The panel of the header, which would stay open over the next page. */
const closePopover = (element: HTMLElement | null) =>
  element?.closest<HTMLElement>("[popover]")?.hidePopover();
