import type { ReactNode } from "react";
import { JsonLd } from "@/components/seo/json-ld";
import { Breadcrumb } from "@/components/ui/breadcrumb";
import { PAGES, type PagePath } from "@/lib/pages";
import { breadcrumbJsonLd } from "@/lib/seo/json-ld";

interface LegalFrameProps {
  path: PagePath;
  children: ReactNode;
}

/** The layout of the legal texts: a breadcrumb and a narrow column. */
export function LegalFrame({ path, children }: LegalFrameProps) {
  const { title = "" } = PAGES[path];
  return (
    <div className="page-column py-6 md:py-8">
      <JsonLd data={breadcrumbJsonLd([{ label: title, href: path }])} />
      <Breadcrumb items={[{ label: title }]} />
      <div className="mt-6 max-w-prose [overflow-wrap:anywhere] md:mt-10">
        <h1 className="text-title">{title}</h1>
        {children}
      </div>
    </div>
  );
}
