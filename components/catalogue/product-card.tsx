import { memo, useId } from "react";
import { QuickAdd } from "@/components/cart/quick-add";
import { Availability } from "@/components/catalogue/availability";
import { ProductImage, preloadDetailImage } from "@/components/catalogue/product-image";
import { HoverPrefetchLink } from "@/components/ui/hover-prefetch-link";
import { Price } from "@/components/ui/price";
import { Stars } from "@/components/ui/stars";
import { type CardProduct, productUrl } from "@/lib/catalogue/rules";

type ProductCardProps = {
  product: CardProduct;
  /** The product's number in the list, counted through all pages. */
  number?: number;
  /** In the first row, so that its picture is loaded eagerly. */
  priority?: boolean;
};

/**
 * A product in a list: the whole card is one link, except for the button that adds the product. Part of client
 * components: keep it small. Memoized: otherwise a list would render all its cards again at every click and key.
 */
export const ProductCard = memo(function ProductCard({
  product,
  number,
  priority,
}: ProductCardProps) {
  const nameId = useId();
  const { name, overline, image, price, avgRating, reviewsCount } = product;
  return (
    <article className="@container group relative flex h-full flex-col">
      <div className="relative aspect-square overflow-hidden rounded-lg bg-surface">
        <ProductImage
          image={image}
          use="card"
          priority={priority}
          className="size-full transition-transform duration-300 group-hover:scale-[1.03]"
        />
        {number !== undefined && (
          <p className="absolute top-2 right-2 rounded-full bg-bg/85 px-1.5 text-[0.6875rem] text-muted leading-4">
            <span className="tabular-nums">{number}</span>
          </p>
        )}
      </div>
      <div className="flex flex-1 flex-col gap-1 pt-3">
        <p className="min-h-5 truncate text-muted text-xs">{overline}</p>
        <h3 className="line-clamp-2 font-medium leading-snug" title={name}>
          <HoverPrefetchLink
            id={nameId}
            href={productUrl(product)}
            onPointerEnter={() => preloadDetailImage(image)}
            className="card-link"
          >
            {name}
          </HoverPrefetchLink>
        </h3>
        <Availability product={product} className="text-xs" />
        {/* Narrow cards reserve a line for the stars below the price, even if there are none. */}
        <p className="card-sums">
          <Price euros={price} className="font-semibold" />
          {avgRating !== null && (
            <Stars average={avgRating} count={reviewsCount} compact className="text-sm" />
          )}
        </p>
      </div>
      {product.availability !== "sold_out" && <QuickAdd product={product} nameId={nameId} />}
    </article>
  );
});

/** The grid of the catalogue's cards. */
export const cardGrid =
  "grid grid-cols-2 gap-x-4 gap-y-8 md:grid-cols-3 md:gap-x-6 md:gap-y-10 xl:grid-cols-4";
