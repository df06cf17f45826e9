"use client";

import { lazy, Suspense } from "react";

// Every page loads this file. If the rest cannot be loaded, global-error.tsx replaces the page.
const PageError = lazy(async () => {
  const module = await import("@/components/layout/page-error");
  return { default: module.PageError };
});

/** Replaces a page whose rendering failed. The server's log has the error, under the digest. */
export default function ErrorPage({ error }: { error: Error & { digest?: string } }) {
  return (
    <Suspense fallback={null}>
      <PageError digest={error.digest} />
    </Suspense>
  );
}
