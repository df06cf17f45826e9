import { isBlank } from "@/lib/text/visible-text";

// The general terms of sale are plain text: blocks separated by empty lines, "# " before a heading, "- "
// before each list item. So they can be pasted from anywhere, and attached to mails unchanged.

export type TermsBlock =
  | { kind: "heading"; text: string }
  | { kind: "list"; items: string[] }
  | { kind: "paragraph"; text: string };

/** Cleans the terms: single spaces in lines, one empty line between blocks, none at the ends. */
export const cleanTerms = (text: string): string =>
  isBlank(text)
    ? ""
    : text
        .split(/\r\n|[\r\n\u2028\u2029]/)
        .map((line) => line.replace(/[\t\v\f ]+|\p{Cc}/gu, " ").trim())
        .join("\n")
        .replace(/\n{3,}/g, "\n\n")
        .trim();

/** The blocks of a cleaned text; a heading needs no empty line after it. */
export function parseTerms(text: string): TermsBlock[] {
  const blocks: TermsBlock[] = [];
  let isOpen = false;
  for (const line of text.split("\n")) {
    const last = isOpen ? blocks.at(-1) : undefined;
    isOpen = line !== "" && !line.startsWith("# ");
    if (line === "") continue;
    if (line.startsWith("# ")) blocks.push({ kind: "heading", text: line.slice(2) });
    else if (line.startsWith("- ")) {
      if (last?.kind === "list") last.items.push(line.slice(2));
      else blocks.push({ kind: "list", items: [line.slice(2)] });
    } else if (last?.kind === "paragraph") last.text += `\n${line}`;
    else blocks.push({ kind: "paragraph", text: line });
  }
  return blocks;
}

/** The sections whose heading matches, each with its heading. */
export function sectionsAbout(blocks: readonly TermsBlock[], heading: RegExp): TermsBlock[] {
  let isWanted = false;
  return blocks.filter((block) => {
    if (block.kind === "heading") isWanted = heading.test(block.text);
    return isWanted;
  });
}
