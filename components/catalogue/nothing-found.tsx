"use client";

import Link from "next/link";
import { useEffect, useState } from "react";
import { BestSold } from "@/components/catalogue/best-sold";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { fetchSuggestions } from "@/lib/catalogue/client";
import { searchUrl } from "@/lib/catalogue/url";

type NothingFoundProps = {
  isFiltered: boolean;
  search: string | undefined;
  /** Called after a click on the link to all products; the link disappears. */
  onShowAll: () => void;
};

/** An empty list, with ways out of it: words that the shop knows, the whole catalogue, and what others buy. */
export function NothingFound({ isFiltered, search, onShowAll }: NothingFoundProps) {
  const words = useNearWords(search);
  return (
    <>
      <EmptyState
        className="py-10 md:py-12"
        title="Aucun produit disponible pour le moment ou correspondant à vos critères de recherche."
      >
        {search !== undefined && (
          // Keeps its line until the words are there.
          <p className="min-h-lh">
            {words.length > 0 && <span>{"Essayez plutôt\u00a0: "}</span>}
            {words.map((word, index) => (
              <span key={word}>
                {index > 0 && <span>, </span>}
                <Link href={searchUrl(word)} prefetch={false} className="link">
                  {word}
                </Link>
              </span>
            ))}
          </p>
        )}
        {isFiltered && (
          <ButtonLink href="/products" prefetch={false} onNavigate={onShowAll} variant="secondary">
            Voir tout le catalogue
          </ButtonLink>
        )}
      </EmptyState>
      <BestSold />
    </>
  );
}

/** Words of the shop that resemble a search without results. */
function useNearWords(search: string | undefined): readonly string[] {
  const [found, setFound] = useState<{ search: string; words: readonly string[] } | null>(null);
  useEffect(() => {
    if (search === undefined) return;
    const controller = new AbortController();
    fetchSuggestions({ text: search, signal: controller.signal }).then(
      ({ near = [] }) => setFound({ search, words: near }),
      () => undefined,
    );
    return () => controller.abort();
  }, [search]);
  return found && found.search === search ? found.words : [];
}
