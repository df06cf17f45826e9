import { type JsonSchema, withoutNull } from "@/lib/http/api/json-schema";
import type {
  ApiResponse,
  Content,
  OpenApi,
  OpenApiOperation,
  Parameter,
} from "@/lib/http/api/openapi";
import { type Html, html, htmlDocument } from "@/lib/http/html";

interface Call {
  verb: string;
  path: string;
  operation: OpenApiOperation;
}

/** Paragraphs, and code between backticks: as much Markdown as our descriptions use. */
function prose(text: string): Html[] {
  return text
    .split(/\n{2,}/)
    .map(
      (paragraph) =>
        html`<p>${paragraph
          .split("`")
          .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}</p>`,
    );
}

/** `GET /api/docs`: the OpenAPI document as a page that needs no script and no other file. */
export function docsPage({ api, origin }: { api: OpenApi; origin: string }): string {
  const calls = Object.entries(api.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, operation]): Call => ({ verb, path, operation })),
  );
  const groups = api.tags.map(({ name }) => ({
    name,
    calls: calls.filter(({ operation }) => operation.tags.includes(name)),
  }));
  const objects = Object.entries(api.components.schemas).filter(([name]) => !name.includes("."));
  return htmlDocument({
    title: html`Documentation de l'API - ${api.info.title}`,
    head: html`<meta name="description" content="Tous les appels de l'API de la boutique ${api.info.title}, leurs paramètres et leurs réponses.">`,
    style: STYLE,
    body: html`<a class="skip" href="#contenu">Aller au contenu</a>
<header>
<p><a href="/">${api.info.title}</a></p>
<h1>Documentation de l'API</h1>
${prose(api.info.description)}
<p class="links"><a href="/api/docs.json">OpenAPI 3.1</a> <a href="/api/docs.jsonld">Hydra</a> <a href="/api">Point d'entrée</a></p>
</header>
<div class="columns">
<nav aria-label="Sommaire">
${groups.map(
  ({ name, calls }) => html`<p><a href="#${slug(name)}">${name}</a></p>
<ul>${calls.map(
    ({ verb, path, operation }) =>
      html`<li><a href="#${operation.operationId}"><span class="verb ${verb}">${verb.toUpperCase()}</span> ${breakable(path)}</a></li>`,
  )}</ul>`,
)}
<p><a href="#objets">Objets</a></p>
<ul>${objects.map(([name]) => html`<li><a href="#objet-${name}">${name}</a></li>`)}</ul>
</nav>
<main id="contenu">
${groups.map(
  ({ name, calls }) => html`<section aria-labelledby="${slug(name)}">
<h2 id="${slug(name)}">${name}</h2>
${calls.map((call) => callSection(call, api, origin))}
</section>`,
)}
<section aria-labelledby="objets">
<h2 id="objets">Objets</h2>
<p>En JSON-LD s'y ajoutent <code>@id</code> et <code>@type</code>.</p>
${objects.map(
  ([name, schema]) => html`<article id="objet-${name}">
<h3>${name}</h3>
${schema.description && prose(schema.description)}
${fieldTable(schema, `Champs de ${name}`)}
</article>`,
)}
</section>
</main>
</div>`,
  });
}

function callSection({ verb, path, operation }: Call, api: OpenApi, origin: string): Html {
  const { operationId, summary, description, parameters = [], requestBody } = operation;
  return html`<article id="${operationId}">
<h3><span class="verb ${verb}">${verb.toUpperCase()}</span> <code>${breakable(path)}</code></h3>
<p class="summary">${summary} <span class="access">${accessText(operation)}</span></p>
${description && prose(description)}
${parameters.length > 0 && parameterTable(parameters)}
${requestBody && bodySection(requestBody.content, requestBody.description)}
<h4>Réponses</h4>
<dl>${Object.entries(operation.responses).map(([status, answer]) => answerEntry(status, answer, api))}</dl>
<h4>Exemple</h4>
<pre tabindex="0"><code>${curl({ verb, path, operation }, origin)}</code></pre>
</article>`;
}

function accessText({ security, description = "" }: OpenApiOperation): string {
  const schemes = security.flatMap((entry) => Object.keys(entry));
  if (schemes.length === 0) return "Public";
  if (schemes.includes("scheduler")) return "Planificateur";
  if (security.some((entry) => Object.keys(entry).length === 0))
    return "Public, connexion prise en compte";
  return description.includes("Réservé aux administrateurs.")
    ? "Administrateur"
    : "Connexion requise";
}

function parameterTable(parameters: Parameter[]): Html {
  const rows = parameters.map(({ name, required, schema, description }) => ({
    name,
    required,
    schema,
    description,
  }));
  return html`<h4>Paramètres</h4>${table("Paramètres", rows)}`;
}

function bodySection(content: Content, description: string | undefined): Html {
  const [type = "", body] = Object.entries(content)[0] ?? [];
  return html`<h4>Corps <span class="type">${type}</span></h4>
${description && prose(description)}
${body && fieldTable(body.schema, "Champs du corps")}`;
}

function answerEntry(status: string, answer: ApiResponse | { $ref: string }, api: OpenApi): Html {
  const found =
    "$ref" in answer ? api.components.responses[answer.$ref.split("/").at(-1) ?? ""] : answer;
  if (!found) return html``;
  const schema = Object.values(found.content ?? {}).at(-1)?.schema;
  const name = status === "default" ? "autre" : status;
  const kind = status.startsWith("2") ? "done" : "refused";
  return html`<div><dt class="${kind}">${name}</dt><dd>${found.description}${
    schema && Object.keys(schema).length > 0 && html` <span class="type">${typeText(schema)}</span>`
  }${Object.keys(found.headers ?? {}).map((header) => html` <span class="type">en-tête ${header}</span>`)}</dd></div>`;
}

interface Row {
  name: string;
  required: boolean;
  schema: JsonSchema;
  description: string;
}

function fieldTable(schema: JsonSchema, caption: string): Html {
  const rows = fieldRows(schema, "");
  return rows.length > 0 ? table(caption, rows) : html``;
}

/** A row per field; those of nested objects follow as `items[].quantity`. */
function fieldRows(schema: JsonSchema, prefix: string): Row[] {
  const { schema: plain } = withoutNull(schema);
  const merged = (plain.allOf ?? []).flatMap((part) => fieldRows(part, prefix));
  const own = Object.entries(plain.properties ?? {}).flatMap(([key, field]) => {
    const name = prefix + key;
    const { schema: inner } = withoutNull(field);
    const row: Row = {
      name,
      required: plain.required?.includes(key) ?? false,
      schema: field,
      description: field.description ?? "",
    };
    const nested = inner.items
      ? fieldRows(inner.items, `${name}[].`)
      : fieldRows(inner, `${name}.`);
    return [row, ...nested];
  });
  return [...merged, ...own];
}

function table(caption: string, rows: readonly Row[]): Html {
  return html`<table>
<caption>${caption}</caption>
<thead><tr><th scope="col">Nom</th><th scope="col">Type</th><th scope="col">Description</th></tr></thead>
<tbody>${rows.map(
    ({ name, required, schema, description }) => html`<tr>
<th scope="row"><code>${breakable(name)}</code>${required && html` <span class="required">obligatoire</span>`}</th>
<td>${typeText(schema)}</td>
<td>${description}</td>
</tr>`,
  )}</tbody>
</table>`;
}

const TYPES: Record<string, string> = {
  string: "texte",
  integer: "nombre entier",
  number: "nombre",
  boolean: "vrai ou faux",
  object: "objet",
  array: "liste",
  null: "null",
};

/** A type in French: "liste de Product", "texte ou null", "nombre entier, au moins 1". */
function typeText(schema: JsonSchema): Html {
  const { schema: plain, nullable } = withoutNull(schema);
  return html`${coreType(plain)}${bounds(plain)}${nullable && " ou null"}`;
}

function coreType(schema: JsonSchema): Html {
  if (schema.$ref) {
    const name = (schema.$ref.split("/").at(-1) ?? "").replace(".jsonld", "");
    return html`<a href="#objet-${name}">${name}</a>`;
  }
  if (schema.enum) return html`${schema.enum.map(String).join(", ")}`;
  if (schema.const !== undefined) return html`${String(schema.const)}`;
  if (schema.items) return html`liste de ${typeText(schema.items)}`;
  const part = schema.anyOf?.[0] ?? schema.allOf?.[0];
  if (part) return coreType(part);
  const types = [schema.type ?? "object"].flat().map((type) => TYPES[type] ?? type);
  return html`${types.join(" ou ")}`;
}

const FORMATS: Record<string, string> = {
  "date-time": "date ISO 8601",
  email: "adresse e-mail",
  uri: "adresse web",
  "iri-reference": "adresse d'un élément",
  binary: "fichier",
};

function bounds({ format, minimum, maximum, minLength, maxLength }: JsonSchema): string {
  const parts = [
    format && FORMATS[format],
    minimum !== undefined && `au moins ${minimum}`,
    maximum !== undefined && maximum < 2_147_483_647 && `au plus ${maximum}`,
    minLength !== undefined && minLength > 1 && `au moins ${minLength} caractères`,
    maxLength !== undefined && `au plus ${maxLength} caractères`,
  ].filter(Boolean);
  return parts.length > 0 ? `, ${parts.join(", ")}` : "";
}

function curl({ verb, path, operation }: Call, origin: string): string {
  const { parameters = [], requestBody, security } = operation;
  const examplePath = path.replace(/\{(\w+)\}/g, (_, name: string) => (name === "id" ? "7" : name));
  const query = parameters
    .filter((parameter) => parameter.in === "query" && parameter.required)
    .map(({ name, schema }) => `${name}=${encodeURIComponent(String(example(schema)))}`);
  const url = `${origin}${examplePath}${query.length > 0 ? `?${query.join("&")}` : ""}`;
  const lines = [`curl ${verb === "get" ? "" : `-X ${verb.toUpperCase()} `}"${url}"`];
  const scheme = security.flatMap((entry) => Object.keys(entry))[0];
  const isOpen = security.length === 0 || security.some((entry) => Object.keys(entry).length === 0);
  if (!isOpen)
    lines.push(`-H "Authorization: Bearer ${scheme === "scheduler" ? "$CRON_SECRET" : "$TOKEN"}"`);
  const [type, body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (type === "multipart/form-data") {
    const field = Object.keys(body?.schema.properties ?? {})[0];
    lines.push(`-F "${field}=@photo.webp"`);
  } else if (type && body) {
    const sample = JSON.stringify(example(body.schema)).replaceAll("'", "'\\''");
    lines.push(`-H "Content-Type: ${type}"`, `-d '${sample}'`);
  }
  return lines.join(" \\\n  ");
}

/** A value that a schema would take. */
function example(schema: JsonSchema): unknown {
  const { schema: plain } = withoutNull(schema);
  const [given] = plain.examples ?? plain.enum ?? [];
  if (given !== undefined) return given;
  if (plain.const !== undefined) return plain.const;
  if (plain.items) return [example(plain.items)];
  if (plain.properties)
    return Object.fromEntries(
      Object.entries(plain.properties).map(([name, field]) => [name, example(field)]),
    );
  switch ([plain.type].flat()[0]) {
    case "integer":
    case "number":
      return Math.max(1, plain.minimum ?? 1);
    case "boolean":
      return true;
    case "object":
      return {};
    default:
      if (plain.format === "email") return "client@exemple.fr";
      return plain.format === "date-time" ? "2026-01-31T12:00:00+01:00" : "texte";
  }
}

/** Long paths may break after their slashes and dots. */
function breakable(text: string): Html[] {
  return text.split(/(?<=[/.])/).map((part) => html`${part}<wbr>`);
}

function slug(text: string): string {
  return text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-");
}

// The shop's colours (app/globals.css), written out: the page stands alone.
const STYLE = `
:root{--ink:#15201b;--muted:#55605a;--line:#dfe3dd;--surface:#f5f6f3;--accent:#14594a;--accent-soft:#e4f0ea;--danger:#b3261e;--success:#17693b;--warning:#85500a}
*{box-sizing:border-box}
html{scroll-padding-top:1rem}
body{margin:0;color:var(--ink);background:#fff;font:1rem/1.6 system-ui,sans-serif}
a{color:var(--accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:.25rem}
code,pre{font:.9375em/1.5 ui-monospace,"SF Mono",Menlo,Consolas,monospace}
h1,h2,h3,h4{line-height:1.25;letter-spacing:-.012em}
h1{font-size:clamp(1.75rem,1.4rem + 1.5vw,2.5rem);margin:.25rem 0 1rem}
h2{font-size:1.5rem;margin:0 0 1rem}
h3{font-size:1.125rem;margin:0 0 .5rem}
h4{font-size:.875rem;margin:1.5rem 0 .5rem;color:var(--muted)}
.skip{position:absolute;left:-999px}
.skip:focus{left:1rem;top:1rem;background:#fff;padding:.5rem 1rem}
header,.columns{max-width:82rem;margin:auto;padding:2rem clamp(1rem,4vw,2.5rem)}
header{padding-bottom:0}
header p{max-width:42rem}
.links a{display:inline-block;margin-right:1rem}
.columns{display:grid;gap:2rem}
nav p{margin:1rem 0 .25rem;font-weight:600}
nav ul{list-style:none;margin:0;padding:0;font-size:.875rem}
nav li a{display:block;padding:.25rem 0;text-decoration:none;color:var(--ink)}
nav li a:hover{text-decoration:underline}
main{min-width:0}
section+section{margin-top:3rem}
article{border:1px solid var(--line);border-radius:.625rem;padding:1.25rem;margin-bottom:1.5rem;overflow-wrap:anywhere}
article:target{border-color:var(--accent)}
.summary{margin:0 0 .5rem}
.verb{display:inline-block;min-width:3.9rem;text-align:center;padding:0 .4rem;border-radius:.375rem;font:600 .75rem/1.5rem ui-monospace,Menlo,Consolas,monospace;color:#fff;background:var(--accent)}
.verb.post{background:var(--success)}.verb.put,.verb.patch{background:var(--warning)}.verb.delete{background:var(--danger)}
.access{display:inline-block;margin-left:.25rem;padding:0 .5rem;border-radius:1rem;font-size:.8125rem;background:var(--accent-soft);color:var(--accent)}
.type{color:var(--muted);font-size:.875rem;font-weight:400}
.required{color:var(--danger);font-size:.8125rem;font-weight:400}
table{width:100%;border-collapse:collapse;font-size:.9375rem}
caption{position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden}
th,td{text-align:left;vertical-align:top;padding:.4rem .75rem .4rem 0;border-bottom:1px solid var(--line)}
thead th{font-size:.8125rem;color:var(--muted);font-weight:600}
tbody th{font-weight:400;width:32%}
tbody td:nth-child(2){width:26%}
dl{margin:0;font-size:.9375rem}
dl div{display:flex;gap:.75rem;padding:.2rem 0}
dt{flex:none;width:3.5rem;font-weight:600;color:var(--danger)}
dt.done{color:var(--success)}
dd{margin:0}
pre{margin:0;padding:.9rem 1rem;background:var(--surface);border-radius:.375rem;overflow-x:auto;overflow-wrap:normal}
@media (min-width:64rem){
.columns{grid-template-columns:19rem minmax(0,1fr)}
nav{position:sticky;top:0;align-self:start;max-height:100vh;overflow-y:auto;padding:1rem 0}
}
@media (max-width:40rem){
table,tbody,tr,th,td{display:block}
thead{position:absolute;clip-path:inset(50%)}
tbody th,tbody td,tbody td:nth-child(2){width:auto;border:0;padding:.1rem 0}
tr{border-bottom:1px solid var(--line);padding:.5rem 0;display:block}
}
`;
