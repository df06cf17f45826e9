// Documents that are made without React: they load nothing but what is in them.

/** A piece of HTML, as opposed to a text that must be escaped first. */
export class Html {
  constructor(readonly text: string) {}
}

type Piece = Html | string | number | false | null | undefined | readonly Piece[];

/** HTML from a template; whatever is put into it is escaped, unless it is HTML itself. */
export function html(strings: TemplateStringsArray, ...pieces: Piece[]): Html {
  let text = strings[0] ?? "";
  pieces.forEach((piece, index) => {
    text += render(piece) + (strings[index + 1] ?? "");
  });
  return new Html(text);
}

function render(piece: Piece): string {
  if (piece instanceof Html) return piece.text;
  if (Array.isArray(piece)) return piece.map(render).join("");
  if (piece === false || piece === null || piece === undefined) return "";
  return escapeHtml(String(piece));
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A text between tags of XML, of which there may be many: readable references, and no quotes. */
export function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** A whole document; `head` is what stands in it besides title and style. */
export function htmlDocument({
  title,
  head,
  style,
  body,
}: {
  title: string | Html;
  head: Html;
  style: string;
  body: Html;
}): string {
  const document = html`<!doctype html>
<html lang="fr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${head}
<style>${new Html(style)}</style>
</head>
<body>
${body}
</body>
</html>
`;
  return document.text;
}

/** For what answers one request, and is no page of the shop to be found. */
export const NO_INDEX = html`<meta name="robots" content="noindex">`;
