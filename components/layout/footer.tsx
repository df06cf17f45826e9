import Link from "next/link";
import type { ReactNode } from "react";
import { Logo } from "@/components/layout/logo";
import {
  CardIcon,
  ChevronRightIcon,
  MailIcon,
  PhoneIcon,
  ReturnIcon,
  TruckIcon,
} from "@/components/ui/icons";
import { categoryUrl } from "@/lib/catalogue/rules";
import { EMPTY_FOOTER, type FooterContent } from "@/lib/footer/rules";
import { phoneUrl } from "@/lib/seller/rules";
import { freeFrom, startingFromWithin } from "@/lib/shipping-methods/texts";
import { SHOP_NAME } from "@/lib/shop/shop-name";
import { CHANGE_OF_MIND } from "@/lib/withdrawals/texts";

interface FooterLink {
  href: string;
  label: string;
}

// Labels differ from the other links' of a page: screen reader users list the links by name.
const helpLinks: readonly FooterLink[] = [
  { href: "/livraison-et-retours", label: "Livraison et retours" },
  { href: "/livraison-et-retours#se-retracter", label: "Se rétracter" },
  { href: "/contact", label: "Nous écrire" },
];
const accountLinks: readonly FooterLink[] = [
  { href: "/orders", label: "Suivi de commande" },
  { href: "/addresses", label: "Carnet d’adresses" },
  { href: "/profile", label: "Vos informations" },
];
const shopLinks: readonly FooterLink[] = [
  { href: "/conditions-generales-de-vente", label: "Conditions de vente" },
  { href: "/mentions-legales", label: "Mentions légales" },
  { href: "/mentions-legales#credits", label: "Crédits" },
];

/** Links of the first column. A shop with more categories shows the others in the catalogue. */
const MAX_CATEGORIES = 9;

/**
 * The footer of every page. It says only what is true of this shop: without a method of delivery, or without
 * the seller's telephone, the promise is missing.
 */
export function Footer({ content = EMPTY_FOOTER }: { content?: FooterContent | undefined }) {
  const { categories } = content;
  return (
    <footer className="mt-section border-line border-t bg-surface print:hidden">
      <Promises {...content} />
      <div className="page-column py-1 lg:grid lg:grid-cols-[2fr_1fr_1fr_1.25fr] lg:gap-x-10 lg:py-4">
        <LinkGroup
          title="Rayons"
          isWide
          links={[
            { href: "/products", label: "Tout le catalogue" },
            { href: "/products?type=physical", label: "Objets" },
            { href: "/products?type=digital", label: "À télécharger" },
            ...categories
              .slice(0, MAX_CATEGORIES)
              .map((category) => ({ href: categoryUrl(category), label: category.name })),
          ]}
        />
        <LinkGroup title="Aide" links={helpLinks} />
        <LinkGroup title="Votre compte" links={accountLinks} />
        <LinkGroup title="La boutique" links={shopLinks}>
          <p className="mt-1 max-w-xs text-muted text-xs">
            Des objets bien faits et des fichiers utiles, choisis un par un.
          </p>
        </LinkGroup>
      </div>
      <div className="page-column">
        <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-6 gap-y-1 border-line border-t py-2 text-muted text-xs">
          <p className="inline-flex items-center gap-2">
            <Logo size={20} />© {SHOP_NAME}. Prix en euros.
          </p>
          <ul aria-label="Moyens de paiement" className="flex gap-1.5">
            {["CB", "Visa", "Mastercard"].map((card) => (
              <li
                key={card}
                className="rounded-sm border border-line bg-bg px-1.5 font-semibold text-2xs leading-5"
              >
                {card}
              </li>
            ))}
          </ul>
        </div>
      </div>
    </footer>
  );
}

/** Delivery, returns, payment and who answers: one row, which is swiped on a phone. */
function Promises({ offer, phone }: FooterContent) {
  return (
    <div className="border-line border-b">
      <ul className="page-column flex snap-x scroll-px-gutter gap-x-8 overflow-x-auto py-3 text-sm [scrollbar-width:none] lg:justify-between">
        {offer && (
          <Promised
            Icon={TruckIcon}
            text={offer.freeFromCents === null ? "" : `Offerte ${freeFrom(offer.freeFromCents)}`}
          >
            <PromiseLink href="/livraison-et-retours">
              {startingFromWithin(offer.fromCents, offer.delay)}
            </PromiseLink>
          </Promised>
        )}
        <Promised Icon={ReturnIcon} text="Pour tout objet, sans donner de motif.">
          <PromiseLink href="/livraison-et-retours#se-retracter">{CHANGE_OF_MIND}</PromiseLink>
        </Promised>
        <Promised Icon={CardIcon} text="Par carte, avec l’accord de votre banque.">
          Paiement sécurisé
        </Promised>
        {phone ? (
          <Promised Icon={PhoneIcon} text="Une personne vous répond.">
            <a href={phoneUrl(phone)} className={promiseLink}>
              {phone}
            </a>
          </Promised>
        ) : (
          <Promised Icon={MailIcon} text="Nous vous répondons par e-mail.">
            <PromiseLink href="/contact">Poser une question</PromiseLink>
          </Promised>
        )}
      </ul>
    </div>
  );
}

const promiseLink = "underline-offset-4 hover:underline";

function PromiseLink({ href, children }: { href: string; children: string }) {
  return (
    <Link href={href} prefetch={false} className={promiseLink}>
      {children}
    </Link>
  );
}

interface PromisedProps {
  Icon: typeof TruckIcon;
  text: string;
  /** What is promised, perhaps as a link to the details. */
  children: ReactNode;
}

function Promised({ Icon, text, children }: PromisedProps) {
  return (
    <li className="flex w-max max-w-[min(20rem,78vw)] shrink-0 snap-start items-center gap-3 lg:shrink">
      <Icon size={22} className="shrink-0 text-accent" />
      <div className="min-w-0">
        <p className="font-medium leading-6">{children}</p>
        {text && <p className="text-muted text-xs leading-4">{text}</p>}
      </div>
    </li>
  );
}

interface LinkGroupProps {
  title: string;
  links: readonly FooterLink[];
  /** In two columns on a large screen. */
  isWide?: boolean;
  children?: ReactNode;
}

/** A column of links on a large screen, a line that opens on a small one (globals.css). */
function LinkGroup({ title, links, isWide = false, children }: LinkGroupProps) {
  return (
    <nav aria-label={title} className="border-line not-first:border-t lg:not-first:border-t-0">
      <p aria-hidden="true" className="footer-group-title pb-1 font-medium text-sm">
        {title}
      </p>
      <details className="footer-group">
        <summary className="flex min-h-12 cursor-pointer items-center justify-between font-medium text-sm">
          <span>{title}</span>
          <ChevronRightIcon size={18} className="text-muted" />
        </summary>
        <ul className={`max-lg:pb-3 ${isWide ? "lg:columns-2 lg:gap-x-6" : ""}`}>
          {links.map(({ href, label }) => (
            <li key={href} className="break-inside-avoid">
              <Link
                href={href}
                prefetch={false}
                className="inline-flex min-h-10 items-center text-muted text-sm leading-tight underline-offset-4 hover:text-ink hover:underline lg:min-h-6"
              >
                {label}
              </Link>
            </li>
          ))}
        </ul>
        {children}
      </details>
    </nav>
  );
}
