import type { Page } from "@playwright/test";

/**
 * Notes from now on what Chromium finds fault with by itself, as its developer tools list it: what a
 * policy refuses, even where the page goes on without it, cookies, fields that cannot be filled in.
 */
export async function watchIssues(page: Page): Promise<{ list(): Promise<string[]> }> {
  const issues = new Set<string>();
  const session = await page.context().newCDPSession(page);
  session.on("Audits.issueAdded", ({ issue: { code, details } }) => {
    // A hint that the page reads its cookies, and no fault.
    if (code !== "PerformanceIssue") issues.add(`${code} ${JSON.stringify(details)}`);
  });
  await session.send("Audits.enable");
  return {
    list: async () => {
      const { formIssues } = await session.send("Audits.checkFormsIssues");
      for (const issue of formIssues) issues.add(`form ${JSON.stringify(issue)}`);
      return [...issues];
    },
  };
}
