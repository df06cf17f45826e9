"use client";

import { useEffect, useRef } from "react";
import { catalogueTexts, headTexts } from "@/lib/seo/head";

/** Updates title and metadata to what is shown, as the server renders them for the same URL. */
export function useHead(view: Parameters<typeof catalogueTexts>[0]) {
  const texts = headTexts(catalogueTexts(view));
  const key = JSON.stringify(texts);
  /** What was last written; at first, what the server has rendered or the router is about to. */
  const written = useRef(key);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the texts
  useEffect(() => {
    if (written.current === key) return;
    const write = () => {
      // Without the router's title element the browser would create one, which nobody would remove.
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
