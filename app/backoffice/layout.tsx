import { connection } from "next/server";
import type { ReactNode } from "react";
import { Frame } from "@/components/backoffice/layout/frame";
import { env } from "@/lib/env";

export default async function BackofficeLayout({ children }: { children: ReactNode }) {
  // Rendered for each request, after middleware.ts has checked the visitor; never cached.
  await connection();
  return <Frame matomoUrl={env().MATOMO_URL}>{children}</Frame>;
}
