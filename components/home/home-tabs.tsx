"use client";

import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import { ProductCard, tenCardGrid } from "@/components/catalogue/product-card";
import { ChipButton } from "@/components/ui/chip";
import { Skeleton } from "@/components/ui/skeleton";
import { Tabs } from "@/components/ui/tabs";
import { trackEvent } from "@/lib/analytics/client";
import { EVENTS } from "@/lib/analytics/events";
import { readRecentlyViewed } from "@/lib/catalogue/recently-viewed";
import type { CardProduct } from "@/lib/catalogue/rules";
import { fetchRecentlyViewed, fetchTaggedProducts } from "@/lib/home/client";

type Label = { id: number; name: string; color: string };

type HomeTabsProps = {
  tags: readonly Label[];
  bestRated: CardProduct[];
  cheapest: CardProduct[];
  mostSold: CardProduct[];
  latest: CardProduct[];
};

/** Null while the products are being loaded. */
type Loadable = CardProduct[] | null;

/**
 * The five lists and the tags' products. Four lists are in the HTML; the visitor's own history and a
 * tag's products are loaded in the browser. What cannot be loaded is shown as an empty list.
 */
export function HomeTabs({ tags, bestRated, cheapest, mostSold, latest }: HomeTabsProps) {
  const [selected, setSelected] = useState("best-rated");
  const [recent, setRecent] = useState<Loadable>([]);
  const [tag, setTag] = useState<Label | null>(null);
  const [tagged, setTagged] = useState<Loadable>(null);
  const chosenTag = useRef<number>(undefined);
  /** The ids that `recent` shows or is loading, joined. */
  const recentIds = useRef("");

  /** Loads the history, which grows in other tabs, too; the old list stays until the new one is there. */
  async function loadHistory() {
    const ids = readRecentlyViewed();
    const key = ids.join();
    if (recentIds.current === key) return;
    recentIds.current = key;
    setRecent((shown) => (shown?.length ? shown : null));
    try {
      const products = ids.length > 0 ? await fetchRecentlyViewed(ids) : [];
      if (recentIds.current === key) setRecent(products);
    } catch {
      if (recentIds.current !== key) return;
      recentIds.current = "";
      setRecent([]);
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page opens
  useLayoutEffect(() => {
    if (readRecentlyViewed().length > 0) setSelected("recent");
    loadHistory();
    document.documentElement.removeAttribute("data-history");
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: what it reads does not depend on the rendering
  useEffect(() => {
    // While another tab is open, the history is loaded when its own is selected.
    if (selected !== "recent") return;
    const refresh = () => void loadHistory();
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
    if (id === "recent") loadHistory();
    trackEvent({ ...EVENTS.homeTabView, name: label });
  }

  async function showTag(next: Label) {
    chosenTag.current = next.id;
    setTag(next);
    setTagged(null);
    const products = await fetchTaggedProducts(next.id).catch(() => []);
    // A slow response must not replace that of a tag selected since.
    if (chosenTag.current === next.id) setTagged(products);
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
      <section
        aria-labelledby="tags-title"
        className="mt-section"
        // A shop that has no tags yet needs no heading for them.
        hidden={tags.length === 0}
      >
        <h2 id="tags-title" className="text-heading">
          Par thème
        </h2>
        {/* A plain form: without JavaScript the button leads to the tag's catalogue view. */}
        <form action="/products" className="mt-4 flex flex-wrap gap-2">
          {tags.map((label) => (
            <ChipButton
              key={label.id}
              type="submit"
              name="tags.id"
              value={label.id}
              color={label.color}
              aria-pressed={tag?.id === label.id}
              onClick={(event) => {
                event.preventDefault();
                showTag(label);
              }}
            >
              {label.name}
            </ChipButton>
          ))}
        </form>
        {tag && (
          <div className="mt-8">
            <h3 className="mb-6 font-medium text-lg">{tag.name}</h3>
            <ProductGrid products={tagged}>Aucun produit pour le moment.</ProductGrid>
          </div>
        )}
      </section>
    </>
  );
}

/** Cards, skeletons while they are loading, or the message for an empty list (its children). */
function ProductGrid({ products, children }: { products: Loadable; children: ReactNode }) {
  if (products?.length === 0) return <p className="py-12 text-muted">{children}</p>;
  return (
    <ul className={tenCardGrid} aria-busy={products === null}>
      {products
        ? products.map((product) => (
            <li key={product.id}>
              <ProductCard product={product} />
            </li>
          ))
        : ["a", "b", "c", "d", "e"].map((key) => (
            <li key={key}>
              <Skeleton className="aspect-square rounded-lg" />
            </li>
          ))}
    </ul>
  );
}
