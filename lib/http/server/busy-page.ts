import { html, htmlDocument, NO_INDEX } from "@/lib/http/html";
import { SHOP_NAME } from "@/lib/shop-name";

const STYLE =
  "body{max-width:36rem;margin:20vh auto;padding:0 1.5rem;font-family:system-ui,sans-serif;line-height:1.5;text-align:center}";

/** 503 as a page, for an overloaded shop. */
export function busyPage({ text, headers }: { text: string; headers: Headers }): Response {
  const pageHeaders = new Headers(headers);
  pageHeaders.set("Content-Type", "text/html; charset=utf-8");
  const page = htmlDocument({
    title: `Un instant - ${SHOP_NAME}`,
    head: NO_INDEX,
    style: STYLE,
    body: html`<main><h1>Un instant…</h1><p>${text}</p></main>`,
  });
  return new Response(page, { status: 503, headers: pageHeaders });
}
