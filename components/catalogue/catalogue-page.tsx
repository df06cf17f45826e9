import { notFound } from "next/navigation";
import { Catalogue } from "@/components/catalogue/catalogue";
import { JsonLd } from "@/components/seo/json-ld";
import { getCataloguePage } from "@/lib/catalogue/queries";
import { productResource } from "@/lib/catalogue/resource";
import { CATALOGUE_PAGE_SIZE, cardOf, categoryUrl } from "@/lib/catalogue/rules";
import type { CatalogueView } from "@/lib/catalogue/schemas";
import { breadcrumbJsonLd, itemListJsonLd } from "@/lib/seo/json-ld";

/** One view of the catalogue, complete as HTML. An unknown category, tag or page is a 404. */
export async function CataloguePage({ view }: { view: CatalogueView }) {
  const found = await getCataloguePage(view);
  if (!found) notFound();
  const { category, page, ...content } = found;
  const crumbs = [
    { label: "Produits", href: "/products" },
    ...(category ? [{ label: category.name, href: categoryUrl(category) }] : []),
  ];
  return (
    // At least as high as the viewport: the footer does not move in or out of view when a short list
    // is followed by a long one.
    <div className="page-column min-h-dvh py-2 md:py-8">
      <JsonLd data={breadcrumbJsonLd(crumbs)} />
      {page.items.length > 0 && (
        <JsonLd
          data={itemListJsonLd({
            products: page.items,
            first: (view.page - 1) * CATALOGUE_PAGE_SIZE + 1,
          })}
        />
      )}
      <Catalogue
        {...content}
        view={view}
        page={{
          products: page.items.map((row) => cardOf(productResource.toJson(row))),
          total: page.total,
          hasNext: page.hasNext ?? false,
          approximate: page.approximate,
        }}
      />
    </div>
  );
}
