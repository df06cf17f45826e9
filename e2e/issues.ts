import type { Page } from "@playwright/test";

/**
 * Records from now on what Chromium reports as issues in its developer tools: violations of a policy,
 * even without visible effect, cookies, fields that cannot be autofilled.
 */
export async function watchIssues(page: Page): Promise<{ list(): Promise<string[]> }> {
  const issues = new Set<string>();
  const session = await page.context().newCDPSession(page);
  session.on("Audits.issueAdded", ({ issue: { code, details } }) => {
    // A hint that the page reads its cookies, which is no defect.
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
