import { createRequire } from "node:module";
import { expect, type Page } from "@playwright/test";
import type { AxeResults, RunOptions } from "axe-core";

const { source } = createRequire(import.meta.url)("axe-core") as { source: string };

const OPTIONS: RunOptions = {
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
  resultTypes: ["violations"],
};

declare global {
  interface Window {
    axe: { run(context: Document, options: RunOptions): Promise<AxeResults> };
  }
}

/**
 * Fails if axe finds violations of WCAG 2.2 AA or of best practices (heading levels, landmarks) on the
 * page as it is now, and prints them all.
 */
export async function expectAccessible(page: Page): Promise<void> {
  // During a colour transition, the contrast may be too low for a moment. What follows a scroll position
  // never ends.
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(
        ({ playState, effect, timeline }) =>
          playState !== "running" ||
          timeline !== document.timeline ||
          effect?.getComputedTiming().endTime === Infinity,
      ),
  );
  await page.evaluate(source);
  const { violations } = await page.evaluate(
    (options) => window.axe.run(document, options),
    OPTIONS,
  );
  const lines = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) => `${id} (${help}) ${target.join(" ")}\n${failureSummary}`,
    ),
  );
  expect(lines, `axe on ${page.url()}`).toEqual([]);
}
