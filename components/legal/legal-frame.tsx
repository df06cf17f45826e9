import type { ReactNode } from "react";
import { JsonLd } from "@/components/seo/json-ld";
import { Breadcrumb } from "@/components/ui/breadcrumb";
import { breadcrumbJsonLd } from "@/lib/seo/json-ld";

const home = { label: "Accueil", href: "/" };

interface LegalFrameProps {
  title: string;
  path: string;
  children: ReactNode;
}

/** The layout of the legal texts: a breadcrumb and a narrow column. */
export function LegalFrame({ title, path, children }: LegalFrameProps) {
  return (
    <div className="page-column py-6 md:py-8">
      <JsonLd data={breadcrumbJsonLd([home, { label: title, href: path }])} />
      <Breadcrumb items={[home, { label: title }]} />
      <div className="mt-6 max-w-prose [overflow-wrap:anywhere] md:mt-10">
        <h1 className="text-title">{title}</h1>
        {children}
      </div>
    </div>
  );
}
