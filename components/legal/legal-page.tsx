import { LegalFrame, LegalPart } from "@/components/legal/legal-frame";
import { HoverPrefetchLink } from "@/components/ui/hover-prefetch-link";
import type { Seller } from "@/lib/seller/resource";
import { SHOP_NAME } from "@/lib/shop/shop-name";

const PARTS = {
  seller: { id: "vendeur", title: "Qui vend" },
  publisher: { id: "publication", title: "Directeur de la publication" },
  host: { id: "hebergement", title: "Hébergement" },
  data: { id: "donnees", title: "Vos données" },
  credits: { id: "credits", title: "Crédits" },
} as const;

/** The seller, the publisher, the host and the credits; omits missing details. */
export function LegalPage({ seller }: { seller: Seller }) {
  const { legalName, address, siren, vatNumber, isVatExempt, phone, email, publisher, host } =
    seller;
  const sections = [
    PARTS.seller,
    ...(publisher ? [PARTS.publisher] : []),
    ...(host ? [PARTS.host] : []),
    PARTS.data,
    PARTS.credits,
  ];
  return (
    <LegalFrame path="/mentions-legales" sections={sections}>
      <div className="mt-10 flex flex-col gap-10">
        <LegalPart {...PARTS.seller}>
          <p className="whitespace-pre-line">{[legalName || SHOP_NAME, ...address].join("\n")}</p>
          <dl className="mt-3">
            <Fact label="SIREN" value={siren} />
            <Fact label="Numéro de TVA" value={isVatExempt ? "" : vatNumber} />
            <Fact label="Téléphone" value={phone} />
            <Fact label="E-mail" value={email} />
          </dl>
          <p className="mt-3">
            Vous pouvez aussi nous{" "}
            <HoverPrefetchLink href="/contact" className="link">
              écrire depuis le site
            </HoverPrefetchLink>
            .
          </p>
        </LegalPart>
        {publisher && (
          <LegalPart {...PARTS.publisher}>
            <p>{publisher}</p>
          </LegalPart>
        )}
        {host && (
          <LegalPart {...PARTS.host}>
            <p className="whitespace-pre-line">{host}</p>
          </LegalPart>
        )}
        <LegalPart {...PARTS.data}>
          <p>
            La boutique garde ce qu’il faut pour votre compte, vos commandes et vos avis. Vous
            pouvez lire et modifier ces données dans{" "}
            <HoverPrefetchLink href="/account" prefetch={false} className="link">
              votre compte
            </HoverPrefetchLink>
            , et les y effacer&nbsp;: seules restent les factures, que la loi demande de conserver.
          </p>
          <p className="mt-3">
            L’adresse que vous laissez pour être prévenu du retour d’un produit ne sert qu’à ce
            message&nbsp;: elle est effacée avec lui, ou au bout d’un an.
          </p>
        </LegalPart>
        <LegalPart {...PARTS.credits}>
          <p>
            Caractères Figtree et Newsreader (SIL Open Font License). Icônes d’après Lucide (licence
            ISC).
          </p>
        </LegalPart>
      </div>
    </LegalFrame>
  );
}

function Fact({ label, value }: { label: string; value: string }) {
  if (!value) return null;
  return (
    <div className="flex flex-wrap gap-x-2">
      <dt className="text-muted">{`${label}\u00a0:`}</dt>
      <dd className="[overflow-wrap:anywhere]">{value}</dd>
    </div>
  );
}
