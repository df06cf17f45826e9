import type { Page } from "@playwright/test";
import type {} from "@/components/layout/early-taps";

/**
 * Translates every page as browsers do: replaces each text node, also those added later, by two nested
 * `<font>` elements. The words stay the same, so that tests find them.
 *
 * @param isEarly translates before hydration
 */
export async function translatePages(
  page: Page,
  { isEarly = false }: { isEarly?: boolean } = {},
): Promise<void> {
  await page.addInitScript((beginsEarly) => {
    const UNTRANSLATED = "head, script, style, noscript, textarea, svg, font, [translate=no]";

    function wrap(text: Text) {
      if (!text.data.trim() || text.parentElement?.closest(UNTRANSLATED)) return;
      const [outer, inner] = [document.createElement("font"), document.createElement("font")];
      inner.append(text.data);
      outer.append(inner);
      text.replaceWith(outer);
    }

    function wrapAll(root: Node) {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const texts: Text[] = root instanceof Text ? [root] : [];
      while (walker.nextNode()) texts.push(walker.currentNode as Text);
      for (const text of texts) if (text.isConnected) wrap(text);
    }

    function start() {
      // Browsers translate a page after it has been visible for a moment. By then it is nearly always
      // hydrated.
      if (window.earlyTaps && !beginsEarly) return requestAnimationFrame(start);
      wrapAll(document.body);
      new MutationObserver((records) => {
        for (const { addedNodes } of records) for (const node of addedNodes) wrapAll(node);
      }).observe(document.body, { childList: true, subtree: true });
    }
    const begin = beginsEarly ? "DOMContentLoaded" : "load";
    window.addEventListener(begin, () => requestAnimationFrame(start));
  }, isEarly);
}
