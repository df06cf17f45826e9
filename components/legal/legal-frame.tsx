import type { ReactNode } from "react";
import { JsonLd } from "@/components/seo/json-ld";
import { Breadcrumb } from "@/components/ui/breadcrumb";
import { PAGES, type PagePath } from "@/lib/pages";
import { breadcrumbJsonLd } from "@/lib/seo/json-ld";

/** A part of the text that the contents lead to. */
export interface LegalSection {
  /** Of its heading's element. */
  id: string;
  title: string;
}

interface LegalFrameProps {
  path: PagePath;
  /** The contents, beside the text on a large screen; fewer than two need none. */
  sections: readonly LegalSection[];
  children: ReactNode;
}

/** The layout of the legal texts: a breadcrumb, the contents, and a narrow column. */
export function LegalFrame({ path, sections, children }: LegalFrameProps) {
  const { title = "" } = PAGES[path];
  return (
    <div className="page-column py-6 md:py-8">
      <JsonLd data={breadcrumbJsonLd([{ label: title, href: path }])} />
      <Breadcrumb items={[{ label: title }]} />
      <h1 className="mt-6 text-title md:mt-10">{title}</h1>
      <div className="gap-x-16 xl:grid xl:grid-cols-[13.75rem_minmax(0,42.5rem)]">
        <nav aria-label="Sommaire" className="hidden print:hidden xl:block">
          {sections.length > 1 && (
            <ol className="sticky top-[calc(var(--spacing-header)+1.5rem)] mt-10 border-line border-l">
              {sections.map((section) => (
                <li key={section.id}>
                  <a
                    href={`#${section.id}`}
                    className="block py-1.5 pl-4 text-muted text-sm underline-offset-4 hover:text-ink hover:underline"
                  >
                    {section.title}
                  </a>
                </li>
              ))}
            </ol>
          )}
        </nav>
        <div className="max-w-prose [overflow-wrap:anywhere] xl:max-w-none">{children}</div>
      </div>
    </div>
  );
}

/** A section with its heading. */
export function LegalPart({ id, title, children }: LegalSection & { children: ReactNode }) {
  return (
    <section>
      <h2 id={id} className="mb-3 text-heading">
        {title}
      </h2>
      {children}
    </section>
  );
}
