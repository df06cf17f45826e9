import type { ReactNode } from "react";
import { SessionGuard } from "@/components/auth/session-guard";
import { Breadcrumb } from "@/components/ui/breadcrumb";

interface AccountFrameProps {
  title: string;
  children: ReactNode;
}

const account = { label: "Mon compte", href: "/account" };

/** The pages of the account, for those who are logged in. */
export function AccountFrame({ title, children }: AccountFrameProps) {
  const isHub = title === account.label;
  return (
    <div className="page-column py-6 md:py-8">
      <SessionGuard />
      <Breadcrumb
        items={[{ label: "Accueil", href: "/" }, ...(isHub ? [] : [account]), { label: title }]}
      />
      <h1 className="mt-6 text-title md:mt-8">{title}</h1>
      <p className="mt-6 hidden noscript:block">Cette page a besoin de JavaScript.</p>
      <div className="mt-8 md:mt-10">{children}</div>
    </div>
  );
}
