"use client";

import { type RefObject, useEffect, useEffectEvent, useState } from "react";
import { fetchSuggestions } from "@/lib/catalogue/client";
import type { Suggestions } from "@/lib/catalogue/suggestion-schemas";

/** Milliseconds without a key before the shop is asked. */
const DELAY_MS = 150;
const MIN_LENGTH = 2;

/** The element of a suggestion. */
export const optionId = (listId: string, index: number) => `${listId}-${index}`;

interface SuggestionsRequest {
  input: RefObject<HTMLInputElement | null>;
  listId: string;
  text: string | undefined;
  firstText: string;
}

/**
 * Asks for suggestions while somebody types in the field, and moves through them by its keys. The option after the last
 * suggestion leads to all results.
 */
export function useSuggestions({ input, listId, text, firstText }: SuggestionsRequest) {
  const [found, setFound] = useState<{ text: string; suggestions: Suggestions } | null>(null);
  const [active, setActive] = useState(-1);
  const count = found ? found.suggestions.categories.length + found.suggestions.products.length : 0;
  const isOpen = count > 0;
  const last = count;

  function close() {
    setFound(null);
    setActive(-1);
  }

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!isOpen || event.isComposing) return;
    if (event.key === "ArrowDown") setActive(active === last ? -1 : active + 1);
    else if (event.key === "ArrowUp") setActive(active === -1 ? last : active - 1);
    else if (event.key === "Enter" && active >= 0)
      document.getElementById(optionId(listId, active))?.click();
    else if (event.key === "Escape") close();
    else {
      if (event.key === "Enter" || event.key === "Tab") close();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  });
  const onClose = useEffectEvent(close);

  // The field belongs to another component, which was there before this one was loaded.
  useEffect(() => {
    const { current: field } = input;
    if (!field) return;
    let timer: ReturnType<typeof setTimeout>;
    let request = new AbortController();
    const ask = async (typed: string, { signal }: AbortController) => {
      const suggestions = await fetchSuggestions({ text: typed, signal }).catch(() => null);
      if (signal.aborted || document.activeElement !== field) return;
      setActive(-1);
      setFound(suggestions && { text: typed, suggestions });
    };
    const onInput = () => {
      clearTimeout(timer);
      request.abort();
      request = new AbortController();
      const typed = field.value.trim();
      if (typed.length < MIN_LENGTH) onClose();
      else timer = setTimeout(ask, DELAY_MS, typed, request);
    };
    const stop = () => {
      clearTimeout(timer);
      request.abort();
      onClose();
    };
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === "Enter") {
        clearTimeout(timer);
        request.abort();
      }
      onKey(event);
    };
    field.addEventListener("input", onInput);
    field.addEventListener("keydown", onKeyDown);
    field.addEventListener("blur", stop);
    // What was typed before this was loaded.
    if (document.activeElement === field && field.value !== firstText) onInput();
    return () => {
      stop();
      field.removeEventListener("input", onInput);
      field.removeEventListener("keydown", onKeyDown);
      field.removeEventListener("blur", stop);
    };
  }, [input, firstText]);

  // The field is cleared by its button.
  useEffect(() => {
    if (text === "") onClose();
  }, [text]);

  useEffect(() => {
    const { current: field } = input;
    field?.setAttribute("aria-expanded", String(isOpen));
    if (isOpen && active >= 0)
      field?.setAttribute("aria-activedescendant", optionId(listId, active));
    else field?.removeAttribute("aria-activedescendant");
    document.getElementById(optionId(listId, active))?.scrollIntoView({ block: "nearest" });
  }, [input, listId, isOpen, active]);

  return { found, count, active, close };
}
