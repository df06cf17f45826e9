import { Banner } from "@/components/home/banner";
import { CategoryTiles } from "@/components/home/category-tiles";
import { ClosedAccount } from "@/components/home/closed-account";
import { DeliveryBar } from "@/components/home/delivery-bar";
import { EditorialBand } from "@/components/home/editorial-band";
import { HomeReviews } from "@/components/home/home-reviews";
import { HomeTabs } from "@/components/home/home-tabs";
import { TagProducts } from "@/components/home/tag-products";
import { JsonLd } from "@/components/seo/json-ld";
import { productResource, tagResource } from "@/lib/catalogue/resource";
import { cardOf } from "@/lib/catalogue/rules";
import type { getHomePage } from "@/lib/home/queries";
import { organizationJsonLd, webSiteJsonLd } from "@/lib/seo/json-ld";
import type { DeliveryOffer } from "@/lib/shipping-methods/rules";

interface HomePageProps {
  home: Awaited<ReturnType<typeof getHomePage>>;
  /** Null where no shipping method goes to mainland France. */
  offer: DeliveryOffer | null;
}

/** The home page: the same for everybody; names and history are filled in by the browser. */
export function HomePage({ home, offer }: HomePageProps) {
  const cards = (rows: typeof home.latestProducts) =>
    rows.map((row) => cardOf(productResource.toJson(row)));
  const pictured = home.mostSoldProducts.find(({ image }) => image);
  return (
    <>
      <JsonLd data={webSiteJsonLd()} />
      <JsonLd data={organizationJsonLd()} />
      <ClosedAccount />
      <DeliveryBar offer={offer} />
      <Banner />
      <CategoryTiles categories={home.categories} />
      <section aria-labelledby="selection-title" className="page-column mt-8 md:mt-10">
        <h2 id="selection-title" className="sr-only">
          Notre sélection
        </h2>
        <HomeTabs
          bestRated={cards(home.bestRatedProducts)}
          cheapest={cards(home.cheapestProduct)}
          mostSold={cards(home.mostSoldProducts)}
          latest={cards(home.latestProducts)}
        />
        <TagProducts tags={home.tags.map(tagResource.toJson)} />
      </section>
      {pictured && <EditorialBand image={pictured.image} />}
      <HomeReviews reviews={home.reviews} />
    </>
  );
}
