import { SHOP_NAME } from "@/lib/shop/shop-name";
import {
  catalogueDescription,
  catalogueTitle,
  type NamedView,
  SHOP_DESCRIPTION,
  SHOP_KEYWORDS,
} from "./texts";

// The texts of a page's head, used on the server, and in the browser after a change of filters.

/** A page's own texts; the default is the shop's texts. */
export interface PageTexts {
  title?: string | undefined;
  description?: string | undefined;
  keywords?: readonly string[] | undefined;
}

/** Characters of a description that search engines show, approximately. */
const DESCRIPTION_LENGTH = 160;

/** `<page> - Mini Ecommerce`, or the shop's name alone. */
export function fullTitle(page: string | undefined): string {
  return page ? `${page} - ${SHOP_NAME}` : SHOP_NAME;
}

/**
 * Shortens a text to one line of at most `length` characters: a longer text is cut after a whole word and
 * ends in "…"; a single longer word is cut after a whole character.
 */
export function clip(text: string, length: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= length) return line;
  const room = line.slice(0, length - 1);
  // Cut between two words: here, or at the last space before.
  const end = line[length - 1] === " " ? room.length : room.lastIndexOf(" ");
  const kept = end > 0 ? room.slice(0, end) : room.replace(/[\ud800-\udbff]$/, "");
  return `${kept.replace(/[\s\p{P}]+$/u, "")}…`;
}

/** The texts as written in the page: the title with the shop's name, the description clipped. */
export function headTexts({ title, description = SHOP_DESCRIPTION, keywords = [] }: PageTexts) {
  return {
    title: fullTitle(title),
    description: clip(description, DESCRIPTION_LENGTH),
    keywords: [...new Set([...keywords, ...SHOP_KEYWORDS])],
  };
}

/** The texts of a view of the catalogue. */
export function catalogueTexts(view: NamedView): PageTexts {
  const { category, tag } = view;
  const shown = { ...view, search: view.search && clip(view.search, 60) };
  return {
    title: catalogueTitle(shown),
    description: catalogueDescription(shown),
    keywords: [category, tag, "catalogue", "acheter en ligne"].filter((word) => word !== undefined),
  };
}
