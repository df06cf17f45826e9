import { Availability } from "@/components/catalogue/availability";
import { AddToCart } from "@/components/product-page/add-to-cart";
import { BuyBar } from "@/components/product-page/buy-bar";
import { CategoryCrumb } from "@/components/product-page/category-crumb";
import { Gallery, type GalleryImage } from "@/components/product-page/gallery";
import { Promises } from "@/components/product-page/promises";
import { RecentlyViewed } from "@/components/product-page/recently-viewed";
import { RelatedProducts } from "@/components/product-page/related-products";
import { RememberProduct } from "@/components/product-page/remember-product";
import { ReviewList } from "@/components/reviews/review-list";
import { JsonLd } from "@/components/seo/json-ld";
import { AlertRequest } from "@/components/stock-alerts/alert-request";
import { Breadcrumb } from "@/components/ui/breadcrumb";
import { buttonClass } from "@/components/ui/button";
import { ChipLink } from "@/components/ui/chip";
import { HoverPrefetchLink } from "@/components/ui/hover-prefetch-link";
import { Price } from "@/components/ui/price";
import { oneDecimal, Stars } from "@/components/ui/stars";
import { categoryUrl, formatFileSize } from "@/lib/catalogue/rules";
import type { getProductPage } from "@/lib/product-page/queries";
import { breadcrumbJsonLd, productJsonLd } from "@/lib/seo/json-ld";

type ProductPageProps = NonNullable<Awaited<ReturnType<typeof getProductPage>>> & {
  /** The seller charges no VAT. */
  isVatExempt: boolean;
};

type Product = ProductPageProps["product"];

const BUY_BUTTON = "ajouter-au-panier";

/** Where 'Voir des produits proches' leads. */
const RELATED = "produits-proches";

export function ProductPage(props: ProductPageProps) {
  const { product, reviews, related, delivery, shipping, isVatExempt } = props;
  const { id, name, price, avgRating, reviewsCount, defaultCategory, categories } = product;
  const products = { label: "Produits", href: "/products" };
  const category = { label: defaultCategory.name, href: categoryUrl(defaultCategory) };
  const isSoldOut = product.availability === "sold_out";
  const relatedLists = (
    <div id={RELATED} className="scroll-mt-24">
      <RelatedProducts title="Souvent achetés ensemble" products={related.boughtTogether} />
      <RelatedProducts title="Dans le même rayon" products={related.similar} />
    </div>
  );
  return (
    <div className={`page-column pb-6 md:py-8 ${isSoldOut ? "" : "buy-bar-room"}`}>
      <JsonLd data={productJsonLd({ product, reviews: reviews.items, shipping })} />
      <JsonLd
        data={breadcrumbJsonLd([products, category, { label: name, href: `/product/${id}` }])}
      />
      <RememberProduct id={id} />
      <Breadcrumb
        isShortOnPhones
        items={[
          products,
          {
            ...category,
            link: <CategoryCrumb defaultCategory={defaultCategory} categories={categories} />,
          },
          { label: name },
        ]}
      />

      <div className="grid gap-4 md:mt-6 md:grid-cols-2 md:gap-10 lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)] lg:gap-16">
        <div className="min-w-0 self-start md:sticky md:top-22">
          <Gallery key={id} images={galleryOf(product)} />
        </div>
        <div className="flex min-w-0 flex-col gap-5 self-start md:sticky md:top-22 md:gap-8">
          <div className="flex flex-col gap-2 md:gap-3">
            <Overline product={product} />
            <h1 className="product-title font-display">{name}</h1>
            {avgRating !== null && (
              <a
                href="#avis"
                className="inline-flex min-h-8 w-fit items-center gap-1.5 underline-offset-4 hover:underline"
              >
                <span className="font-medium tabular-nums">{oneDecimal.format(avgRating)}</span>
                <Stars average={avgRating} count={reviewsCount} wordless />
              </a>
            )}
            <p className="text-[1.75rem]/[2.125rem]">
              <Price euros={price} className="font-semibold" />
              {!isVatExempt && <span className="ml-2 text-muted text-sm">TVA comprise</span>}
            </p>
          </div>
          <div className="flex flex-col gap-3">
            <Availability
              product={product}
              className={
                isSoldOut
                  ? "flex min-h-11 items-center rounded-md bg-danger-soft px-4 font-medium"
                  : "flex items-center gap-2 font-medium before:size-2 before:rounded-full before:bg-current"
              }
            />
            <AddToCart
              key={id}
              id={id}
              name={name}
              image={product.image}
              left={leftOf(product)}
              buttonId={BUY_BUTTON}
            />
            {isSoldOut && (
              <>
                <a
                  href={hasRelated(related) ? `#${RELATED}` : category.href}
                  className={buttonClass({ size: "lg", block: true })}
                >
                  Voir des produits proches
                </a>
                <AlertRequest key={id} productId={id} />
              </>
            )}
          </div>
          {!isSoldOut && (
            <>
              <Promises productType={product.productType} price={price} delivery={delivery} />
              <Description product={product} />
            </>
          )}
        </div>
      </div>
      {isSoldOut ? (
        <>
          {relatedLists}
          <div className="mt-section flex max-w-3xl flex-col gap-8">
            <Description product={product} />
          </div>
        </>
      ) : (
        relatedLists
      )}

      <ReviewList
        productId={id}
        reviews={reviews.items}
        total={reviews.total}
        ratings={reviews.ratings}
        average={avgRating}
      />
      <RecentlyViewed key={`recent-${id}`} id={id} />
      {!isSoldOut && <BuyBar key={id} buttonId={BUY_BUTTON} price={price} />}
    </div>
  );
}

/** The category, and for a file its type and size. On phones the line above names the category. */
function Overline({ product }: { product: Product }) {
  const { productType, filetype, filesize, defaultCategory } = product;
  const file =
    productType === "digital"
      ? [filetype, filesize === null ? null : formatFileSize(filesize)].filter(Boolean).join(", ")
      : "";
  return (
    <p className={`flex flex-wrap gap-x-1.5 text-muted text-sm ${file ? "" : "max-md:hidden"}`}>
      <HoverPrefetchLink
        href={categoryUrl(defaultCategory)}
        className="underline-offset-4 hover:underline max-md:hidden"
      >
        {defaultCategory.name}
      </HoverPrefetchLink>
      {file && (
        <>
          <span aria-hidden="true" className="max-md:hidden">
            ·
          </span>
          <span>{file}</span>
        </>
      )}
    </p>
  );
}

/** Description, characteristics and tags. */
function Description({ product }: { product: Product }) {
  const { description, tags } = product;
  return (
    <>
      <p className="max-w-prose whitespace-pre-line text-pretty">{description}</p>
      <Details product={product} />
      {tags.length > 0 && (
        <ul aria-label="Étiquettes" className="flex flex-wrap gap-2">
          {tags.map((tag) => (
            <li key={tag.id}>
              <ChipLink
                href={`/products?tags.id=${tag.id}`}
                prefetch={false}
                color={tag.color}
                size="sm"
              >
                {tag.name}
              </ChipLink>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The pictures, each with a text for those who do not see it. */
function galleryOf({ name, images }: Product): [GalleryImage, ...GalleryImage[]] {
  const [first, ...others] = images.map(({ url, alt }, index) => ({
    url,
    alt: alt || (index === 0 ? name : `${name}, image ${index + 1}`),
  }));
  return first ? [first, ...others] : [{ url: null, alt: name }];
}

const hasRelated = ({ similar, boughtTogether }: ProductPageProps["related"]) =>
  similar.length + boughtTogether.length > 0;

/** The number of pieces left, as far as visitors may know. */
const leftOf = ({ availability, stock }: Product) => (availability === "sold_out" ? 0 : stock);

/** The characteristics of a physical product, or the file of a digital one. */
function Details({ product }: { product: Product }) {
  const { productType, characteristics, filesize, filetype } = product;
  const rows =
    productType === "digital"
      ? [
          ["Taille du fichier", filesize === null ? null : formatFileSize(filesize)],
          ["Type de fichier", filetype],
        ]
      : Object.entries(characteristics ?? {});
  const filled = rows.filter(([, value]) => value);
  if (filled.length === 0) return null;
  return (
    <section className="w-full">
      <h2 className="mb-3 text-heading">
        {productType === "digital" ? "Fichier" : "Caractéristiques"}
      </h2>
      <dl className="divide-y divide-line border-line border-y">
        {filled.map(([label, value]) => (
          <div
            key={label}
            className="grid min-h-11 grid-cols-[minmax(0,2fr)_minmax(0,3fr)] items-center gap-4 py-2"
          >
            <dt className="text-muted">{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
