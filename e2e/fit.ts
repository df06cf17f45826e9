import type { Page } from "@playwright/test";
import { expectAccessible } from "./axe";
import { expectNoSidewaysScroll, settled, WIDTHS } from "./storefront";

/** Checks a page in a narrow and in a wide window: it is accessible, and not scrolled sideways. */
export async function expectFits(page: Page): Promise<void> {
  for (const width of [WIDTHS.phone, WIDTHS.desktop]) {
    await page.setViewportSize({ width, height: 900 });
    // Nothing is below the header, which would count as a target that is too small.
    await page.evaluate(() => window.scrollTo(0, 0));
    await settled(page);
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  }
}
