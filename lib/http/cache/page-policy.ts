import { perProcess } from "@/lib/per-process";

type PolicyOf = (document: { html: string; path: string }) => string;

/**
 * How the content security policy of a stored page is made: content-security.ts, which reads the
 * configuration, is not loaded by `next build`, which loads the cache handler.
 */
export const pagePolicy = perProcess<{ of: PolicyOf | null }>("page-policy", () => ({ of: null }));
