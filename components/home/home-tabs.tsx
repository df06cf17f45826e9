"use client";

import { useEffect, useLayoutEffect, useState } from "react";
import { ProductGrid } from "@/components/home/product-grid";
import { TagProducts } from "@/components/home/tag-products";
import { useRecentlyViewed } from "@/components/home/use-recently-viewed";
import { Tabs } from "@/components/ui/tabs";
import { trackEvent } from "@/lib/analytics/client";
import { EVENTS } from "@/lib/analytics/events";
import { readRecentlyViewed } from "@/lib/catalogue/recently-viewed";
import type { CardProduct, CatalogueLabel } from "@/lib/catalogue/rules";

type HomeTabsProps = {
  tags: readonly CatalogueLabel[];
  bestRated: CardProduct[];
  cheapest: CardProduct[];
  mostSold: CardProduct[];
  latest: CardProduct[];
};

/**
 * The five lists and the tags' products. Four lists are in the HTML; the browser loads the visitor's own
 * history and a tag's products. A list that fails to load is shown as an empty list.
 */
export function HomeTabs({ tags, bestRated, cheapest, mostSold, latest }: HomeTabsProps) {
  const [selected, setSelected] = useState("best-rated");
  const { recent, load } = useRecentlyViewed();

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page opens
  useLayoutEffect(() => {
    if (readRecentlyViewed().length > 0) setSelected("recent");
    load();
    document.documentElement.removeAttribute("data-history");
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: load() does the same in every render
  useEffect(() => {
    // With another tab open, the history is loaded only once its tab is selected.
    if (selected !== "recent") return;
    const refresh = () => void load();
    window.addEventListener("storage", refresh);
    window.addEventListener("pageshow", refresh);
    return () => {
      window.removeEventListener("storage", refresh);
      window.removeEventListener("pageshow", refresh);
    };
  }, [selected]);

  const tabs = [
    { id: "recent", label: "Récemment Consultés", products: recent },
    { id: "best-rated", label: "Les Mieux Notés", products: bestRated },
    { id: "cheapest", label: "Les Moins Chers", products: cheapest },
    { id: "most-sold", label: "Les Plus Vendus", products: mostSold },
    { id: "latest", label: "Les Derniers Ajouts", products: latest },
  ];

  function select(id: string) {
    const label = tabs.find((tab) => tab.id === id)?.label;
    setSelected(id);
    if (id === "recent") load();
    trackEvent({ ...EVENTS.homeTabView, name: label });
  }

  return (
    <>
      <Tabs
        label="Sélections de produits"
        className="home-tabs"
        selected={selected}
        onSelect={select}
        tabs={tabs.map(({ products, ...tab }) => ({
          ...tab,
          panel: (
            <ProductGrid products={products}>
              {tab.id === "recent"
                ? "Les produits que vous regardez se retrouvent ici."
                : "Aucun produit pour le moment."}
            </ProductGrid>
          ),
        }))}
      />
      <TagProducts tags={tags} />
    </>
  );
}
