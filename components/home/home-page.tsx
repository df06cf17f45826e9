import { Banner } from "@/components/home/banner";
import { ClosedAccount } from "@/components/home/closed-account";
import { HomeTabs } from "@/components/home/home-tabs";
import { JsonLd } from "@/components/seo/json-ld";
import { productResource, tagResource } from "@/lib/catalogue/resource";
import { cardOf } from "@/lib/catalogue/rules";
import type { HomeLists } from "@/lib/home/queries";
import { organizationJsonLd, webSiteJsonLd } from "@/lib/seo/json-ld";

/** The home page: the same for everybody; names and history are filled in by the browser. */
export function HomePage({ lists }: { lists: HomeLists }) {
  const cards = (rows: HomeLists["latestProducts"]) =>
    rows.map((row) => cardOf(productResource.toJson(row)));
  return (
    <>
      <JsonLd data={webSiteJsonLd()} />
      <JsonLd data={organizationJsonLd()} />
      <ClosedAccount />
      <Banner />
      <div className="page-column mt-section">
        <h2 className="sr-only">Notre sélection</h2>
        <HomeTabs
          tags={lists.tags.map(tagResource.toJson)}
          bestRated={cards(lists.bestRatedProducts)}
          cheapest={cards(lists.cheapestProduct)}
          mostSold={cards(lists.mostSoldProducts)}
          latest={cards(lists.latestProducts)}
        />
      </div>
    </>
  );
}
