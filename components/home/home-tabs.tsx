"use client";

import { useEffect, useLayoutEffect, useState } from "react";
import { ProductGrid } from "@/components/home/product-grid";
import { useRecentlyViewed } from "@/components/home/use-recently-viewed";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { HoverPrefetchLink } from "@/components/ui/hover-prefetch-link";
import { ArrowRightIcon, EyeIcon } from "@/components/ui/icons";
import { Tabs } from "@/components/ui/tabs";
import { trackEvent } from "@/lib/analytics/client";
import { EVENTS } from "@/lib/analytics/events";
import { readRecentlyViewed } from "@/lib/catalogue/recently-viewed";
import type { CardProduct } from "@/lib/catalogue/rules";

type HomeTabsProps = {
  bestRated: CardProduct[];
  cheapest: CardProduct[];
  mostSold: CardProduct[];
  latest: CardProduct[];
};

/**
 * The five lists. Four are in the HTML; the browser loads the visitor's own history. A list that fails to load is shown as an empty list.
 */
export function HomeTabs({ bestRated, cheapest, mostSold, latest }: HomeTabsProps) {
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
    { id: "recent", label: "Récemment Consultés", products: recent, href: null },
    { id: "best-rated", label: "Les Mieux Notés", products: bestRated, href: "/products" },
    {
      id: "cheapest",
      label: "Les Moins Chers",
      products: cheapest,
      href: "/products?price_sort=asc",
    },
    { id: "most-sold", label: "Les Plus Vendus", products: mostSold, href: "/products" },
    {
      id: "latest",
      label: "Les Derniers Ajouts",
      products: latest,
      href: "/products?date_sort=newest",
    },
  ];

  function select(id: string) {
    const label = tabs.find((tab) => tab.id === id)?.label;
    setSelected(id);
    if (id === "recent") load();
    trackEvent({ ...EVENTS.homeTabView, name: label });
  }

  return (
    <Tabs
      label="Sélections de produits"
      className="home-tabs"
      selected={selected}
      onSelect={select}
      tabs={tabs.map(({ id, label, products, href }) => ({
        id,
        label,
        panel:
          id === "recent" && products?.length === 0 ? (
            <EmptyState
              icon={<EyeIcon size={28} />}
              title="Les produits que vous regardez se retrouvent ici."
              className="bg-ground py-10"
            >
              <Button variant="secondary" onClick={() => select("most-sold")}>
                Voir ce que les autres achètent
              </Button>
            </EmptyState>
          ) : (
            <>
              <ProductGrid products={products}>Aucun produit pour le moment.</ProductGrid>
              {href && products && products.length > 0 && (
                <p className="mt-6 text-right">
                  <HoverPrefetchLink
                    href={href}
                    aria-label={`Tout voir\u00a0: ${label}`}
                    className="link inline-flex min-h-8 items-center gap-1.5 font-medium"
                  >
                    Tout voir <ArrowRightIcon size={18} />
                  </HoverPrefetchLink>
                </p>
              )}
            </>
          ),
      }))}
    />
  );
}
