import { cardGrid, ProductCard } from "@/components/catalogue/product-card";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
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
  /** Some filter is set. */
  isFiltered: boolean;
  /** Called after a click on the link to all products; the link disappears. */
  onShowAll: () => void;
};

/** The number of products, and the products of the page. */
export function CatalogueResults(props: CatalogueResultsProps) {
  const { products, page, total, isWaiting, hasFailed, approximated, isFiltered, onShowAll } =
    props;
  return (
    <>
      <div role="status">
        <p className="mt-8 mb-5 text-muted text-sm">
          {isWaiting
            ? "Recherche en cours…"
            : // After a failure it is unknown whether there are no products.
              (total > 0 || !hasFailed) && productCount(total)}
        </p>
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
        <ul className={cardGrid} aria-busy={isWaiting}>
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
        !hasFailed && (
          <EmptyState title="Aucun produit disponible pour le moment ou correspondant à vos critères de recherche.">
            {isFiltered && (
              <ButtonLink
                href="/products"
                prefetch={false}
                onNavigate={onShowAll}
                variant="secondary"
              >
                Voir tout le catalogue
              </ButtonLink>
            )}
          </EmptyState>
        )
      )}
    </>
  );
}

function CardSkeletons() {
  return (
    <div className={cardGrid}>
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
