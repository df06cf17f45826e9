import { notFound } from "next/navigation";
import { displayFontClassName } from "@/app/fonts/newsreader";
import { ProductPage } from "@/components/product-page/product-page";
import { acquireRendering } from "@/lib/http/server/renderings";
import { getProductPage } from "@/lib/product-page/queries";
import { getPublicSeller } from "@/lib/seller/queries";
import { productMetadata } from "@/lib/seo/metadata";

export const generateStaticParams = () => [];

type Props = { params: Promise<{ id: string }> };

/** `/product/{id}`; an unknown id is a 404. */
async function read({ params }: Props) {
  await acquireRendering("page");
  const found = await getProductPage((await params).id);
  if (!found) notFound();
  return found;
}

export async function generateMetadata(props: Props) {
  return productMetadata((await read(props)).product);
}

export default async function Page(props: Props) {
  const [found, { isVatExempt }] = await Promise.all([read(props), getPublicSeller()]);
  return (
    <div className={displayFontClassName}>
      <ProductPage {...found} isVatExempt={isVatExempt} />
    </div>
  );
}
