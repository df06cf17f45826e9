import type { LegalSection } from "@/components/legal/legal-frame";
import type { TermsBlock } from "@/lib/seller/terms";

/** The headings of the terms, for the contents. */
export const sectionsOf = (blocks: readonly TermsBlock[]): LegalSection[] =>
  blocks
    .map((block, index) => ({ block, id: idOf(index) }))
    .flatMap(({ block, id }) => (block.kind === "heading" ? [{ id, title: block.text }] : []));

/** The headings are in the seller's words, and may repeat: their place names them. */
const idOf = (index: number) => `texte-${index + 1}`;

/** The terms, or a part of them. */
export function TermsBlocks({ blocks }: { blocks: readonly TermsBlock[] }) {
  return blocks.map((block, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no identity, and never move.
    <Block key={index} block={block} id={idOf(index)} />
  ));
}

function Block({ block, id }: { block: TermsBlock; id: string }) {
  if (block.kind === "heading")
    return (
      <h2 id={id} className="mt-6 text-heading first:mt-0">
        {block.text}
      </h2>
    );
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
