import { LegalFrame } from "@/components/legal/legal-frame";
import { HoverPrefetchLink } from "@/components/ui/hover-prefetch-link";
import type { Seller } from "@/lib/seller/resource";
import { parseTerms, type TermsBlock } from "@/lib/seller/terms";

/** The seller's general terms, which every buyer accepts. */
export function TermsPage({ seller }: { seller: Seller }) {
  const blocks = parseTerms(seller.terms);
  return (
    <LegalFrame path="/conditions-generales-de-vente">
      <div className="mt-4 flex flex-col gap-4">
        {blocks.length === 0 && (
          <p>
            Le vendeur ne les a pas encore publiées. Pour toute question,{" "}
            <HoverPrefetchLink href="/contact" className="link">
              écrivez-nous
            </HoverPrefetchLink>
            .
          </p>
        )}
        {blocks.map((block, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no identity, and never move.
          <Block key={index} block={block} />
        ))}
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

function Block({ block }: { block: TermsBlock }) {
  if (block.kind === "heading") return <h2 className="mt-6 text-heading">{block.text}</h2>;
  if (block.kind === "paragraph") return <p className="whitespace-pre-line">{block.text}</p>;
  return (
    <ul className="list-disc space-y-1 pl-6">
      {block.items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: as above.
        <li key={index}>{item}</li>
      ))}
    </ul>
  );
}
