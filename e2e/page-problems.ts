import { type BrowserContext, expect } from "@playwright/test";

/**
 * A problem that a test expects: responses with this status (of one path or of any), or problems whose
 * line matches. A line contains the shop's URLs without their origin, whose port may look like a status.
 */
type ExpectedProblem = number | { status: number; path: string } | RegExp;

/** Problems that no assertion would notice: they fail the test. */
export interface PageProblems {
  /** Allows problems that this test expects. Call it before they happen. */
  allow(...expected: ExpectedProblem[]): void;
  /** The problems so far that are not allowed. */
  list(): string[];
}

interface Problem {
  line: string;
  /** Status of the response that the problem is about. */
  status?: number;
  path?: string;
}

/**
 * Records every console error, uncaught exception, response of 500 or more, and request to another
 * machine, of all pages in the context.
 */
export function watchProblems(context: BrowserContext): PageProblems & { expectNone(): void } {
  const problems: Problem[] = [];
  const allowed: ExpectedProblem[] = [];
  context.on("console", (message) => {
    const text = message.text();
    if (message.type() !== "error" || isOfRecording(text)) return;
    const { url } = message.location();
    const line = withoutOrigin(`console.error: ${text} (${url})`);
    const status = /^Failed to load resource: .* status of (\d{3})/.exec(text)?.[1];
    problems.push(status ? { line, status: Number(status), path: pathOf(url) } : { line });
  });
  context.on("weberror", (event) => {
    const error = event.error();
    problems.push({ line: withoutOrigin(`uncaught: ${error.stack ?? error.message}`) });
  });
  context.on("response", (response) => {
    const [status, url] = [response.status(), response.url()];
    if (status < 500) return;
    const line = withoutOrigin(`${status}: ${response.request().method()} ${url}`);
    problems.push({ line, status, path: pathOf(url) });
  });
  context.on("request", (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (/^https?:$/.test(protocol) && hostname !== "127.0.0.1")
      problems.push({ line: `request to another machine: ${request.url()}` });
  });
  const list = () =>
    problems
      .filter((problem) => !allowed.some((expected) => isExpected(problem, expected)))
      .map(({ line }) => line);
  return {
    allow: (...expected) => allowed.push(...expected),
    list,
    expectNone: () => expect(list(), "problems in the browser").toEqual([]),
  };
}

function isExpected({ line, status, path }: Problem, expected: ExpectedProblem): boolean {
  if (expected instanceof RegExp) return expected.test(line);
  if (typeof expected === "number") return status === expected;
  return status === expected.status && path === expected.path;
}

const withoutOrigin = (text: string) => text.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, "");
const pathOf = (url: string) => (URL.canParse(url) ? new URL(url).pathname : "");

/**
 * Playwright's trace recorder fetches blobs that the page has created, which the page's policy
 * forbids.
 */
const isOfRecording = (text: string) =>
  /^Connecting to 'blob:[^']+' violates .*"connect-src [^"]*"/.test(text);
