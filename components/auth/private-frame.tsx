import type { ReactNode } from "react";
import { SessionGuard } from "@/components/auth/session-guard";
import { Breadcrumb } from "@/components/ui/breadcrumb";

interface PrivateFrameProps {
  /** The breadcrumb after the home page. */
  crumbs: readonly { label: string; href?: string }[];
  children: ReactNode;
}

/** The layout of pages that need a login. */
export function PrivateFrame({ crumbs, children }: PrivateFrameProps) {
  return (
    <div className="page-column py-6 md:py-8">
      <SessionGuard />
      <Breadcrumb items={crumbs} />
      {children}
    </div>
  );
}
