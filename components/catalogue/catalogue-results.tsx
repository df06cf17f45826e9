import clsx from "clsx";
import type { ReactNode } from "react";
import { NothingFound } from "@/components/catalogue/nothing-found";
import { cardGrid, ProductCard } from "@/components/catalogue/product-card";
import { Skeleton } from "@/components/ui/skeleton";
import { CATALOGUE_PAGE_SIZE, productCount, type refilter } from "@/lib/catalogue/rules";

type CatalogueResultsProps = {
  products: ReturnType<typeof refilter>;
  page: number;
  /** The number of products on all pages. */
  total: number;
  isWaiting: boolean;
  hasFailed: boolean;
  /** The search without an exact match; `products` are close matches. */
  approximated: string | undefined;
  /** Some filter is set, among them perhaps this text. */
  isFiltered: boolean;
  search: string | undefined;
  /** The filters that are set. */
  chips: ReactNode;
  /** Called after a click on the link to all products; the link disappears. */
  onShowAll: () => void;
};

/** The number of products, and the products of the page. */
export function CatalogueResults(props: CatalogueResultsProps) {
  const { products, page, total, isWaiting, hasFailed, approximated, chips, ...empty } = props;
  return (
    <>
      {/* The row keeps its height and the number its width, so that nothing moves when filters come and go.
          A phone has no room for all words of the number, the filters and "Tout effacer". */}
      <div className="mt-1 mb-1 flex min-h-10 items-center gap-3 md:mt-4 md:mb-3">
        <p
          role="status"
          className="min-w-[min(6rem,50%)] max-w-1/2 shrink-0 text-muted text-sm md:min-w-36"
        >
          {isWaiting ? (
            <span>
              Recherche<span className="max-md:sr-only"> en cours</span>…
            </span>
          ) : (
            // After a failure the number is unknown.
            !hasFailed && productCount(total)
          )}
        </p>
        {chips}
      </div>
      <div role="status">
        {approximated !== undefined && (
          <div className="mb-6">
            <h2 className="text-heading">Résultats approchants</h2>
            <p className="text-muted">
              {`Aucun produit ne correspond exactement à «\u00a0${approximated}\u00a0».`}
            </p>
          </div>
        )}
      </div>
      {approximated === undefined && products.length > 0 && <h2 className="sr-only">Résultats</h2>}
      {products.length > 0 ? (
        <ul
          className={clsx(
            cardGrid,
            "relative transition-opacity",
            isWaiting && "loading-line opacity-50",
            hasFailed && "opacity-40",
          )}
          aria-busy={isWaiting}
        >
          {products.map((product, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: moving a card would make the page jump
            <li key={`${index}-${product.id}`}>
              <ProductCard
                product={product}
                number={(page - 1) * CATALOGUE_PAGE_SIZE + index + 1}
                priority={index < 4}
              />
            </li>
          ))}
        </ul>
      ) : isWaiting ? (
        <CardSkeletons />
      ) : (
        !hasFailed && <NothingFound {...empty} />
      )}
    </>
  );
}

function CardSkeletons() {
  return (
    <div className={clsx(cardGrid, "loading-line relative")}>
      {Array.from({ length: 8 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the skeletons are all alike
        <div key={index} className="space-y-3">
          <Skeleton className="aspect-square rounded-lg" />
          <Skeleton className="h-5 w-3/4" />
          <Skeleton className="h-5 w-1/3" />
        </div>
      ))}
    </div>
  );
}
