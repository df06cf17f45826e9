import Link from "next/link";
import { ProductImage } from "@/components/catalogue/product-image";
import { ProductName } from "@/components/catalogue/product-name";
import { DownloadIcon } from "@/components/ui/icons";
import { Price } from "@/components/ui/price";
import { productTypeOf } from "@/lib/catalogue/rules";
import { centsOfAmount } from "@/lib/money";
import { formatNumber } from "@/lib/numbers";
import type { OrderJson } from "@/lib/orders/client";
import { DELIVERED, IN_PREPARATION, NO_LINK, NOT_SENT, SENT, sentPart } from "@/lib/orders/texts";

type ItemJson = OrderJson["items"][number];

interface OrderItemsProps {
  order: Pick<OrderJson, "items" | "shipments">;
  /** The buyer has them, and may say how they are. */
  canReview?: boolean;
}

export function OrderItems({ order: { items, shipments }, canReview = false }: OrderItemsProps) {
  const isDelivered = (id: number) => {
    const parcels = shipments.filter((parcel) => parcel.items.some(({ item }) => item === id));
    return parcels.length > 0 && parcels.every(({ deliveredAt }) => deliveredAt !== null);
  };
  return (
    <ul className="divide-y divide-line border-line border-y">
      {items.map(({ id, quantity, product, ...sent }) => (
        <li key={id} className="flex gap-4 py-4">
          <div className="size-16 shrink-0 overflow-hidden rounded-md bg-surface sm:size-20">
            <ProductImage image={product.image} use="thumbnail" />
          </div>
          <div className="grid min-w-0 flex-1 gap-x-4 gap-y-1 sm:grid-cols-[minmax(0,1fr)_auto]">
            <div className="min-w-0">
              <p className="font-medium">
                <ProductName id={product.id} name={product.name} query={categorySearch(product)} />
              </p>
              <p className="text-muted text-sm">
                <span>{`${formatNumber(quantity)}\u00a0×\u00a0`}</span>
                <Price euros={product.price} />
              </p>
            </div>
            <Price
              cents={centsOfAmount(product.price) * quantity}
              className="font-semibold sm:text-right"
            />
            <p className="flex flex-wrap items-center gap-x-5 text-sm sm:col-span-2">
              <Status
                product={product}
                quantity={quantity}
                isDelivered={isDelivered(id)}
                {...sent}
              />
              {canReview && product.id !== null && (
                <Link
                  href={`/product/${product.id}${categorySearch(product)}#avis`}
                  prefetch={false}
                  aria-label={`Donner mon avis sur ${product.name}`}
                  className="link"
                >
                  Donner mon avis
                </Link>
              )}
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}

/** So that the product's breadcrumb leads back to the category. */
const categorySearch = ({ defaultCategory }: ItemJson["product"]) =>
  defaultCategory ? `?category=${defaultCategory.id}` : "";

type StatusProps = Omit<ItemJson, "id"> & { isDelivered: boolean };

function Status({ product, ...sent }: StatusProps) {
  const { downloadLink } = product;
  if (productTypeOf(product) === "physical")
    return <span className="text-muted">{sentText(sent)}</span>;
  if (!downloadLink) return <span className="text-muted">{NO_LINK}</span>;
  return <FileLink product={product} className="link inline-flex min-h-6 items-center gap-1.5" />;
}

/** Downloads a bought file. */
export function FileLink({
  product: { downloadLink, name },
  className,
}: {
  product: Pick<ItemJson["product"], "downloadLink" | "name">;
  className: string;
}) {
  if (!downloadLink) return null;
  return (
    <a
      href={downloadLink}
      // An external link may be a page: opens it in a new tab.
      {...(!downloadLink.startsWith("/") && { target: "_blank", rel: "noreferrer" })}
      aria-label={`Télécharger ${name}`}
      className={className}
    >
      <DownloadIcon size={18} />
      Télécharger
    </a>
  );
}

function sentText({
  quantity,
  shippedQuantity,
  toSend,
  isDelivered,
}: Omit<StatusProps, "product">): string {
  if (shippedQuantity === 0) return toSend > 0 ? IN_PREPARATION : NOT_SENT;
  if (toSend === 0) return isDelivered ? DELIVERED : SENT;
  return sentPart({ shippedQuantity, quantity });
}
