import { Availability } from "@/components/catalogue/availability";
import { ProductImage } from "@/components/catalogue/product-image";
import { AddToCart } from "@/components/product-page/add-to-cart";
import { CategoryCrumb } from "@/components/product-page/category-crumb";
import { RememberProduct } from "@/components/product-page/remember-product";
import { ReviewList } from "@/components/reviews/review-list";
import { JsonLd } from "@/components/seo/json-ld";
import { Badge } from "@/components/ui/badge";
import { Breadcrumb } from "@/components/ui/breadcrumb";
import { ChipLink } from "@/components/ui/chip";
import { Price } from "@/components/ui/price";
import { Stars } from "@/components/ui/stars";
import { categoryUrl, formatFileSize } from "@/lib/catalogue/rules";
import { loginUrl } from "@/lib/guards";
import type { getProductPage } from "@/lib/product-page/queries";
import { breadcrumbJsonLd, productJsonLd } from "@/lib/seo/json-ld";
import { PRODUCT_TYPE_LABELS } from "@/lib/shop/product-type";

type ProductPageProps = NonNullable<Awaited<ReturnType<typeof getProductPage>>> & {
  /** The seller charges no VAT. */
  isVatExempt: boolean;
};

export function ProductPage({ product, reviews, isVatExempt }: ProductPageProps) {
  const { id, name, image, description, price, tags, avgRating, reviewsCount } = product;
  const { defaultCategory, categories } = product;
  const products = { label: "Produits", href: "/products" };
  const category = { label: defaultCategory.name, href: categoryUrl(defaultCategory) };
  return (
    <div className="page-column py-6 md:py-8">
      <JsonLd data={productJsonLd({ product, reviews: reviews.items })} />
      <JsonLd
        data={breadcrumbJsonLd([products, category, { label: name, href: `/product/${id}` }])}
      />
      <RememberProduct id={id} />
      <Breadcrumb
        items={[
          products,
          {
            ...category,
            link: <CategoryCrumb defaultCategory={defaultCategory} categories={categories} />,
          },
          { label: name },
        ]}
      />

      <div className="mt-6 grid gap-8 md:grid-cols-2 md:gap-10 lg:gap-16">
        <div className="aspect-square overflow-hidden rounded-xl bg-surface">
          <ProductImage image={image} alt={name} use="detail" priority />
        </div>
        <div className="flex flex-col items-start gap-5">
          <Badge tone="accent">{PRODUCT_TYPE_LABELS[product.productType]}</Badge>
          <h1 className="font-display text-title">{name}</h1>
          {avgRating !== null && (
            <a
              href="#avis"
              className="inline-flex min-h-8 items-center underline-offset-4 hover:underline"
            >
              <Stars average={avgRating} count={reviewsCount} wordless />
            </a>
          )}
          <p className="text-xl">
            <Price euros={price} className="font-semibold text-heading" />
            {!isVatExempt && <span className="ml-2 text-muted text-sm">TVA comprise</span>}
          </p>
          <Availability product={product} className="font-medium" />
          <AddToCart
            key={id}
            id={id}
            name={name}
            left={leftOf(product)}
            loginHref={loginUrl(`/product/${id}`)}
          />
          <p className="max-w-prose whitespace-pre-line text-pretty">{description}</p>
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
          <Details product={product} />
        </div>
      </div>

      <ReviewList
        productId={id}
        reviews={reviews.items}
        total={reviews.total}
        average={avgRating}
      />
    </div>
  );
}

/** The number of pieces left, as far as visitors may know. */
const leftOf = ({ availability, stock }: ProductPageProps["product"]) =>
  availability === "sold_out" ? 0 : stock;

/** The characteristics of a physical product, or the file of a digital one. */
function Details({ product }: Pick<ProductPageProps, "product">) {
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
      <h2 className="mb-2 text-heading">
        {productType === "digital" ? "Fichier" : "Caractéristiques"}
      </h2>
      <dl className="divide-y divide-line border-line border-y">
        {filled.map(([label, value]) => (
          <div key={label} className="grid grid-cols-2 gap-4 py-2.5">
            <dt className="text-muted">{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
