// If a link is followed before React has hydrated the page, Next.js 16.4 leaves the loaded page's metadata in
// the head, beside the next page's: https://github.com/vercel/next.js/issues/97472
// e2e/ui/navigation.spec.ts follows a link that early.

/** The elements that Next.js renders for a page's metadata. Viewport and fonts are separate components. */
const METADATA = [
  "title",
  'meta[name]:not([name="viewport"], [name="theme-color"], [name="next-size-adjust"])',
  "meta[property]",
  'link:is([rel="canonical"], [rel="manifest"], [rel="icon"], [rel="apple-touch-icon"])',
].join();

/** Every page has one description. If there are two, the first was never hydrated: React removes its own. */
const DESCRIPTION = 'meta[name="description"]';

/**
 * Removes the loaded page's metadata once another page's metadata is beside it. Call it before the first
 * navigation.
 *
 * @returns a function that stops observing
 */
export function removeStaleMetadata(): () => void {
  const loaded = [...document.head.querySelectorAll(METADATA)];
  const observer = new MutationObserver(() => {
    if (document.head.querySelectorAll(DESCRIPTION).length < 2) return;
    for (const element of loaded) element.remove();
    observer.disconnect();
  });
  observer.observe(document.head, { childList: true });
  return () => observer.disconnect();
}
