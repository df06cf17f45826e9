import { CONTACT_FIELDS, type ContactField, type ContactInput } from "@/lib/contact/rules";
import { SEND_FAILED } from "@/lib/contact/texts";
import { DEFAULT_BODY_LIMIT, readBounded } from "@/lib/http/api/body";
import { problem } from "@/lib/http/api/problem";
import type { Handler } from "@/lib/http/api/route-definition";
import { html, htmlDocument, NO_INDEX } from "@/lib/http/html";
import { SHOP_NAME } from "@/lib/shop/shop-name";

/**
 * Lets the route also accept the page's form from a browser without JavaScript. The browser is redirected
 * to a page of thanks, or gets the form back with its errors. The JSON handler validates in both cases. It
 * answers 415 to a form from another site, and to a client that accepts no HTML.
 */
export function acceptForms(handler: Handler): Handler {
  const wrapped: Handler = async (request, context) => {
    if (!isOwnForm(request)) return handler(request, context);
    let fields: ContactInput;
    try {
      fields = await readFields(request);
    } catch (error) {
      return problem(error, { request });
    }
    const headers = new Headers(request.headers);
    headers.delete("content-length");
    headers.set("content-type", "application/json");
    headers.set("accept", "application/json");
    const body = JSON.stringify(fields);
    const answer = await handler(
      new Request(request.url, { method: request.method, headers, body }),
      context,
    );
    if (answer.ok) {
      return new Response(null, {
        status: 303,
        headers: { Location: "/contact/merci", "Cache-Control": "no-store" },
      });
    }
    return formPage({ fields, answer });
  };
  wrapped.definition = handler.definition && { ...handler.definition, takesForms: true };
  return wrapped;
}

function isOwnForm({ headers }: Request): boolean {
  const type = headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  const site = headers.get("sec-fetch-site");
  const accept = headers.get("accept") ?? "*/*";
  return (
    type === "application/x-www-form-urlencoded" &&
    /text\/html|\*\/\*/.test(accept) &&
    (site === null || site === "same-origin" || site === "none")
  );
}

async function readFields(request: Request): Promise<ContactInput> {
  const bytes = await readBounded(request, DEFAULT_BODY_LIMIT);
  const form = new URLSearchParams(new TextDecoder().decode(bytes));
  return {
    nom: form.get("nom") ?? "",
    email: form.get("email") ?? "",
    message: form.get("message") ?? "",
  };
}

const LABELS: Record<ContactField, string> = { nom: "Nom", email: "Email", message: "Message" };

/** The form again, with the errors and the typed values. */
async function formPage({
  fields,
  answer,
}: {
  fields: ContactInput;
  answer: Response;
}): Promise<Response> {
  const { error, errors = {} } = (await answer.json()) as {
    error?: string;
    errors?: Partial<ContactInput>;
  };
  const hasFieldErrors = CONTACT_FIELDS.some((field) => errors[field]);
  const controls = CONTACT_FIELDS.map((field) => {
    const value = fields[field];
    const sentence = errors[field];
    const attributes = html`id="${field}" name="${field}" required${
      sentence && html` aria-invalid="true" aria-describedby="${field}-error"`
    }`;
    return html`<label for="${field}">${LABELS[field]}</label>
${
  field === "message"
    ? html`<textarea ${attributes} rows="8">\n${value}</textarea>`
    : html`<input ${attributes} type="${field === "email" ? "email" : "text"}" value="${value}">`
}
${sentence && html`<p class="error" id="${field}-error">${sentence}</p>`}
`;
  });
  const headers = new Headers({
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-store",
    "Content-Security-Policy":
      "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
  });
  const retryAfter = answer.headers.get("retry-after");
  if (retryAfter !== null) headers.set("Retry-After", retryAfter);
  const page = htmlDocument({
    title: `Contact - ${SHOP_NAME}`,
    head: NO_INDEX,
    style: STYLE,
    body: html`<main>
<h1>Contact</h1>
${!hasFieldErrors && html`<p role="alert">${error ?? SEND_FAILED}</p>`}
<form method="post" action="/api/contact" novalidate>
${controls}<button type="submit">Envoyer</button>
</form>
<p><a href="/">Retour à l’accueil</a></p>
</main>`,
  });
  return new Response(page, { status: answer.status, headers });
}

const STYLE = `
body { max-width: 36rem; margin: 0 auto; padding: 2rem 1rem; color: #15201b; font: 1rem/1.6 system-ui, sans-serif; }
form { display: grid; gap: .5rem; }
label { margin-top: .75rem; font-weight: 500; }
input, textarea { padding: .6rem .8rem; border: 1px solid #7e8983; border-radius: .6rem; font: inherit; }
[aria-invalid] { border-color: #b3261e; }
p { margin: 0; }
main > p { margin: 1rem 0; }
.error, [role=alert] { color: #b3261e; }
button { justify-self: start; margin-top: 1rem; padding: .6rem 1.25rem; border: 0; border-radius: .6rem; background: #14594a; color: #fff; font: inherit; font-weight: 500; }
a { color: #14594a; }
`;
