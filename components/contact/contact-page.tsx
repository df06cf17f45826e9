import type { ReactNode } from "react";
import { ContactForm } from "@/components/contact/contact-form";
import { JsonLd } from "@/components/seo/json-ld";
import { Breadcrumb } from "@/components/ui/breadcrumb";
import { HoverPrefetchLink } from "@/components/ui/hover-prefetch-link";
import { BoxIcon, DownloadIcon, InfoIcon } from "@/components/ui/icons";
import type { Seller } from "@/lib/seller/resource";
import { phoneUrl } from "@/lib/seller/rules";
import { breadcrumbJsonLd } from "@/lib/seo/json-ld";
import { SHOP_NAME } from "@/lib/shop/shop-name";

/** @param seller null where the details could not be read */
export function ContactPage({ seller }: { seller: Seller | null }) {
  return (
    <div className="page-column py-6 md:py-8">
      <JsonLd data={breadcrumbJsonLd([{ label: "Contact", href: "/contact" }])} />
      <Breadcrumb items={[{ label: "Contact" }]} />
      {/* On a phone the form comes before the details and the advice; beside them on wider screens. */}
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
          {seller && <Details seller={seller} />}
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

/** Where to call and to write; nothing if the seller has entered neither. */
function Details({ seller: { legalName, address, phone } }: { seller: Seller }) {
  if (!phone && address.length === 0) return null;
  return (
    <>
      <h2 className="font-semibold">Nos coordonnées</h2>
      <address className="mt-3 mb-8 flex flex-col gap-2 text-muted not-italic">
        {phone && (
          <p>
            <span>{"Téléphone\u00a0: "}</span>
            <a href={phoneUrl(phone)} className="link whitespace-nowrap">
              {phone}
            </a>
          </p>
        )}
        {address.length > 0 && (
          <p className="whitespace-pre-line">{[legalName || SHOP_NAME, ...address].join("\n")}</p>
        )}
      </address>
    </>
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
