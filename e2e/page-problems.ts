import { type BrowserContext, expect } from "@playwright/test";

/** What goes wrong in a browser without anybody looking: a test that has any fails. */
export interface PageProblems {
  /** Expected in this test: problems whose line matches. Call it before they happen. */
  allow(pattern: RegExp): void;
  /** Those that happened so far and are not allowed. */
  list(): string[];
}

/**
 * Notes every console error, uncaught exception, answer of 500 or more, and request that leaves
 * this machine, of all pages in the context.
 */
export function watchProblems(context: BrowserContext): PageProblems & { expectNone(): void } {
  const problems: string[] = [];
  const allowed: RegExp[] = [];
  context.on("console", (message) => {
    if (message.type() !== "error" || isOfRecording(message.text())) return;
    problems.push(`console.error: ${message.text()} (${message.location().url})`);
  });
  context.on("weberror", (event) => {
    const error = event.error();
    problems.push(`uncaught: ${error.stack ?? error.message}`);
  });
  context.on("response", (response) => {
    if (response.status() < 500) return;
    problems.push(`${response.status()}: ${response.request().method()} ${response.url()}`);
  });
  context.on("request", (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (/^https?:$/.test(protocol) && hostname !== "127.0.0.1")
      problems.push(`request to another machine: ${request.url()}`);
  });
  const list = () => problems.filter((line) => !allowed.some((pattern) => pattern.test(line)));
  return {
    allow: (pattern) => allowed.push(pattern),
    list,
    expectNone: () => expect(list(), "problems in the browser").toEqual([]),
  };
}

/**
 * Playwright's recording of a page fetches the pictures that were made in it, which the page's policy
 * allows nobody.
 */
const isOfRecording = (text: string) =>
  /^Connecting to 'blob:[^']+' violates .*"connect-src [^"]*"/.test(text);
