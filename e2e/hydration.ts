import type { Page } from "@playwright/test";

/**
 * Waits until React has hydrated every control of the page. Before that a click acts as without
 * JavaScript: a form is submitted, a link is loaded. `page.goto` and `page.reload` wait by themselves
 * (fixtures.ts). Call this function after a click that loads another document.
 */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    if (!document.querySelector('script[src*="/_next/"]')) return true;
    const controls = [...document.querySelectorAll("button, input, select, textarea")];
    return controls.every((control) =>
      Object.keys(control).some((key) => key.startsWith("__reactProps$")),
    );
  });
}

/** Makes `goto` and `reload` wait for hydration, unless the call sets `waitUntil`. */
export function waitForHydration(page: Page): void {
  const goto = page.goto.bind(page);
  const reload = page.reload.bind(page);
  page.goto = async (url, options) => {
    const response = await goto(url, options);
    if (options?.waitUntil === undefined) await hydrated(page);
    return response;
  };
  page.reload = async (options) => {
    const response = await reload(options);
    if (options?.waitUntil === undefined) await hydrated(page);
    return response;
  };
}
