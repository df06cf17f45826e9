import type { Page } from "@playwright/test";

/**
 * Records the issues that Chromium reports in its developer tools from now on: violations of a policy
 * (even without visible effect), cookies, fields that cannot be autofilled.
 */
export async function watchIssues(page: Page): Promise<{ list(): Promise<string[]> }> {
  const issues = new Set<string>();
  const session = await page.context().newCDPSession(page);
  session.on("Audits.issueAdded", ({ issue: { code, details } }) => {
    // Only a hint that the page reads its cookies, not a defect.
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
