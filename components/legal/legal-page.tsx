import type { ReactNode } from "react";
import { LegalFrame } from "@/components/legal/legal-frame";
import { HoverPrefetchLink } from "@/components/ui/hover-prefetch-link";
import type { Seller } from "@/lib/seller/resource";
import { SHOP_NAME } from "@/lib/shop/shop-name";

/** The seller, the publisher and the host; omits missing details. */
export function LegalPage({ seller }: { seller: Seller }) {
  const { legalName, address, siren, vatNumber, isVatExempt, phone, email, publisher, host } =
    seller;
  return (
    <LegalFrame path="/mentions-legales">
      <div className="mt-10 flex flex-col gap-10">
        <Part title="Qui vend">
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
        </Part>
        {publisher && (
          <Part title="Directeur de la publication">
            <p>{publisher}</p>
          </Part>
        )}
        {host && (
          <Part title="Hébergement">
            <p className="whitespace-pre-line">{host}</p>
          </Part>
        )}
        <Part title="Vos données">
          <p>
            La boutique garde ce qu’il faut pour votre compte, vos commandes et vos avis. Vous
            pouvez lire et modifier ces données dans{" "}
            <HoverPrefetchLink href="/account" prefetch={false} className="link">
              votre compte
            </HoverPrefetchLink>
            , et les y effacer&nbsp;: seules restent les factures, que la loi demande de conserver.
          </p>
        </Part>
      </div>
    </LegalFrame>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="mb-3 text-heading">{title}</h2>
      {children}
    </section>
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
