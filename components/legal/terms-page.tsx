import { LegalFrame } from "@/components/legal/legal-frame";
import { sectionsOf, TermsBlocks } from "@/components/legal/terms-blocks";
import { HoverPrefetchLink } from "@/components/ui/hover-prefetch-link";
import type { Seller } from "@/lib/seller/resource";
import { parseTerms } from "@/lib/seller/terms";

/** The seller's general terms, which every buyer accepts. */
export function TermsPage({ seller }: { seller: Seller }) {
  const blocks = parseTerms(seller.terms);
  return (
    <LegalFrame path="/conditions-generales-de-vente" sections={sectionsOf(blocks)}>
      <div className="mt-10 flex flex-col gap-4">
        {blocks.length === 0 && (
          <p>
            Le vendeur ne les a pas encore publiées. Pour toute question,{" "}
            <HoverPrefetchLink href="/contact" className="link">
              écrivez-nous
            </HoverPrefetchLink>
            .
          </p>
        )}
        <TermsBlocks blocks={blocks} />
        <p className="mt-6">
          Qui vend et comment nous joindre&nbsp;: les{" "}
          <HoverPrefetchLink href="/mentions-legales" className="link">
            mentions légales
          </HoverPrefetchLink>
          .
        </p>
      </div>
    </LegalFrame>
  );
}
