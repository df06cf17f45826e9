"use client";

import { useEffect, useRef } from "react";
import { catalogueTexts, headTexts } from "@/lib/seo/head";

/** Updates title and metadata to the shown list, as the server renders them for the same URL. */
export function useHead(view: Parameters<typeof catalogueTexts>[0]) {
  const texts = headTexts(catalogueTexts(view));
  const key = JSON.stringify(texts);
  /** The last written texts; at first, those rendered by the server or about to be rendered by the router. */
  const written = useRef(key);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the texts
  useEffect(() => {
    if (written.current === key) return;
    const write = () => {
      // Wait for the router's title element: without it the browser would create one that stays forever.
      if (!document.head.querySelector("title")) return false;
      const { title, description, keywords } = texts;
      document.title = title;
      for (const [name, content] of Object.entries({ description, keywords: keywords.join(",") }))
        document.querySelector(`meta[name="${name}"]`)?.setAttribute("content", content);
      written.current = key;
      return true;
    };
    if (write()) return;
    const observer = new MutationObserver(() => {
      if (write()) observer.disconnect();
    });
    observer.observe(document.head, { childList: true });
    return () => observer.disconnect();
  }, [key]);
}
