import type { ReactNode } from "react";
import { ContactForm } from "@/components/contact/contact-form";
import { JsonLd } from "@/components/seo/json-ld";
import { Breadcrumb } from "@/components/ui/breadcrumb";
import { HoverPrefetchLink } from "@/components/ui/hover-prefetch-link";
import { BoxIcon, DownloadIcon, InfoIcon } from "@/components/ui/icons";
import { breadcrumbJsonLd } from "@/lib/seo/json-ld";

export function ContactPage() {
  return (
    <div className="page-column py-6 md:py-8">
      <JsonLd data={breadcrumbJsonLd([{ label: "Contact", href: "/contact" }])} />
      <Breadcrumb items={[{ label: "Contact" }]} />
      {/* On a phone the form comes before the advice; beside it on wider screens. */}
      <div className="mt-6 grid grid-cols-1 gap-y-8 md:mt-10 md:grid-cols-[minmax(0,5fr)_minmax(0,7fr)] md:grid-rows-[auto_1fr] md:gap-x-10 lg:gap-x-20">
        <div>
          <h1 className="text-title">Contact</h1>
          <p className="mt-4 max-w-prose text-lg text-muted">
            Une question, une remarque, un souci&#8239;? Écrivez-nous&nbsp;: nous vous répondons par
            e-mail.
          </p>
        </div>
        <div className="rounded-xl bg-surface p-5 sm:p-8 md:col-start-2 md:row-span-2 md:row-start-1 md:self-start">
          <ContactForm />
        </div>
        <div>
          <h2 className="font-semibold">Pour une réponse plus rapide</h2>
          <ul className="mt-4 flex flex-col gap-4">
            <Advice icon={<InfoIcon />}>
              Sur un produit&nbsp;: indiquez son nom. Sa description et ses caractéristiques sont
              sur sa page, dans{" "}
              <HoverPrefetchLink href="/products" className="link">
                le catalogue
              </HoverPrefetchLink>
              .
            </Advice>
            <Advice icon={<BoxIcon />}>
              Sur une commande&nbsp;: indiquez son numéro. Vous le trouverez dans votre compte, sous
              «&nbsp;Mes&nbsp;commandes&nbsp;», avec la facture.
            </Advice>
            <Advice icon={<DownloadIcon />}>
              Sur un téléchargement&nbsp;: dites-nous quel fichier et sur quel appareil.
            </Advice>
          </ul>
        </div>
      </div>
    </div>
  );
}

function Advice({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <li className="flex gap-3 text-muted">
      <span className="mt-0.5 shrink-0 text-accent">{icon}</span>
      <span className="max-w-prose">{children}</span>
    </li>
  );
}
