import type { ReactNode } from "react";
import { PrivateFrame } from "@/components/auth/private-frame";

interface AccountFrameProps {
  title: string;
  children: ReactNode;
}

const account = { label: "Mon compte", href: "/account" };

export function AccountFrame({ title, children }: AccountFrameProps) {
  const isHub = title === account.label;
  return (
    <PrivateFrame crumbs={[...(isHub ? [] : [account]), { label: title }]}>
      <h1 className="mt-6 text-title md:mt-8">{title}</h1>
      <p className="mt-6 hidden noscript:block">Cette page a besoin de JavaScript.</p>
      <div className="mt-8 md:mt-10">{children}</div>
    </PrivateFrame>
  );
}
