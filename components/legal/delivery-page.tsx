import { LegalFrame, LegalPart } from "@/components/legal/legal-frame";
import { TermsBlocks } from "@/components/legal/terms-blocks";
import { ButtonLink } from "@/components/ui/button";
import { HoverPrefetchLink } from "@/components/ui/hover-prefetch-link";
import { formatEuros } from "@/lib/money";
import { formatNumber } from "@/lib/numbers";
import type { Seller } from "@/lib/seller/resource";
import { parseTerms, sectionsAbout } from "@/lib/seller/terms";
import {
  type Destinations,
  destinationsText,
  priceSteps,
  type Tariff,
} from "@/lib/shipping-methods/rules";
import { freeFrom } from "@/lib/shipping-methods/texts";

const PARTS = {
  delivery: { id: "livraison", title: "Modes de livraison" },
  files: { id: "fichiers", title: "Fichiers à télécharger" },
  withdrawal: { id: "se-retracter", title: "Se rétracter" },
  terms: { id: "conditions", title: "Ce que disent nos conditions" },
} as const;

/** The sections of the terms that are about what this page is about. */
const ABOUT = /livraison|expédition|rétract|retour/i;

type Method = Tariff & Destinations & { id: number; name: string; delay: string };

interface DeliveryPageProps {
  methods: readonly Method[];
  seller: Pick<Seller, "terms" | "phone">;
}

/** Prices and delays of delivery, and how to return a product. */
export function DeliveryPage({ methods, seller: { terms, phone } }: DeliveryPageProps) {
  const blocks = sectionsAbout(parseTerms(terms), ABOUT);
  const { terms: termsPart, ...always } = PARTS;
  const sections = [...Object.values(always), ...(blocks.length > 0 ? [termsPart] : [])];
  return (
    <LegalFrame path="/livraison-et-retours" sections={sections}>
      <div className="mt-10 flex flex-col gap-10">
        <LegalPart {...PARTS.delivery}>
          {methods.length === 0 ? (
            <p>La livraison des objets est comprise dans leur prix.</p>
          ) : (
            <>
              <p>
                Vous choisissez votre mode de livraison en passant commande&#8239;; son prix est
                indiqué dès le panier.
              </p>
              <ul className="mt-5 grid gap-4">
                {methods.map((method) => (
                  <li key={method.id} className="rounded-lg border border-line p-5">
                    <MethodDetails method={method} />
                  </li>
                ))}
              </ul>
            </>
          )}
        </LegalPart>
        <LegalPart {...PARTS.files}>
          <p>
            Ils se téléchargent dans «&nbsp;Mes commandes&nbsp;» dès le paiement, sans frais. Vous
            consentez en payant à en disposer aussitôt, et renoncez pour eux à votre droit de
            rétractation.
          </p>
        </LegalPart>
        <LegalPart {...PARTS.withdrawal}>
          <p>
            Vous avez quatorze jours après avoir reçu un objet pour vous rétracter, sans donner de
            motif. Ouvrez la commande dans «&nbsp;Mes commandes&nbsp;», puis choisissez «&nbsp;Me
            rétracter de cette commande&nbsp;»&nbsp;: un accusé de réception vous parvient aussitôt
            par e-mail.
          </p>
          <p className="mt-5">
            <ButtonLink href="/orders" prefetch={false}>
              Choisir la commande
            </ButtonLink>
          </p>
          <p className="mt-5">
            Vous n’avez plus de compte&#8239;?{" "}
            <HoverPrefetchLink href="/contact" className="link">
              Écrivez-nous
            </HoverPrefetchLink>{" "}
            <span>avec le numéro de la commande.</span>
          </p>
          {phone && <p className="mt-2">{`Par téléphone\u00a0: ${phone}`}</p>}
        </LegalPart>
        {blocks.length > 0 && (
          <LegalPart {...PARTS.terms}>
            <div className="flex flex-col gap-4 [&_h2]:text-lg">
              <TermsBlocks blocks={blocks} />
            </div>
          </LegalPart>
        )}
        <p>
          Tout le reste est dans les{" "}
          <HoverPrefetchLink href="/conditions-generales-de-vente" className="link">
            conditions générales de vente
          </HoverPrefetchLink>
          .
        </p>
      </div>
    </LegalFrame>
  );
}

function MethodDetails({ method }: { method: Method }) {
  const { name, delay, freeFromCents } = method;
  const facts = [
    ["Vers", destinationsText(method)],
    ["Délai", delay],
    ["Offerte", freeFromCents === null ? "" : freeFrom(freeFromCents)],
  ].filter(([, value]) => value);
  return (
    <>
      <h3 className="font-medium text-lg">{name}</h3>
      <dl className="mt-2 grid gap-x-6 gap-y-3 sm:grid-cols-[7rem_1fr] sm:gap-y-1">
        {facts.map(([label, value]) => (
          <div key={label} className="sm:contents">
            <dt className="text-muted">{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        <div className="sm:contents">
          <dt className="text-muted">Prix</dt>
          <dd>
            <ul>
              {priceSteps(method).map(({ maxGrams, priceCents }) => (
                <li key={maxGrams} className="flex max-w-64 justify-between gap-x-4">
                  <span>{maxGrams !== null && `jusqu’à ${weightText(maxGrams)}`}</span>
                  <span className="tabular-nums">{formatEuros(priceCents)}</span>
                </li>
              ))}
            </ul>
          </dd>
        </div>
      </dl>
    </>
  );
}

/** "250 g", "2 kg" */
const weightText = (grams: number) =>
  grams < 1000 ? `${grams}\u00a0g` : `${formatNumber(grams / 1000)}\u00a0kg`;
