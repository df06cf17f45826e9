// Next.js 16.4 leaves the metadata of the page that was loaded in the head, beside the next page's, if a
// link is followed before React has hydrated it: https://github.com/vercel/next.js/issues/97472
// e2e/ui/navigation.spec.ts follows one so early.

/** What Next.js writes for a page's metadata. Viewport and fonts are components of their own. */
const METADATA = [
  "title",
  'meta[name]:not([name="viewport"], [name="theme-color"], [name="next-size-adjust"])',
  "meta[property]",
  'link:is([rel="canonical"], [rel="manifest"], [rel="icon"], [rel="apple-touch-icon"])',
].join();

/** Every page has one. A second one means that the first was never hydrated: React removes its own. */
const DESCRIPTION = 'meta[name="description"]';

/**
 * Removes the loaded page's metadata once another page's stands beside it. To be called before the first
 * navigation.
 *
 * @returns ends the watch
 */
export function removeLeftMetadata(): () => void {
  const loaded = [...document.head.querySelectorAll(METADATA)];
  const observer = new MutationObserver(() => {
    if (document.head.querySelectorAll(DESCRIPTION).length < 2) return;
    for (const element of loaded) element.remove();
    observer.disconnect();
  });
  observer.observe(document.head, { childList: true });
  return () => observer.disconnect();
}
