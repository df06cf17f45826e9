/** A page without anything to load, for a shop that has no strength left: 503. */
export function busyPage({ text, headers }: { text: string; headers: Headers }): Response {
  const answer = new Headers(headers);
  answer.set("Content-Type", "text/html; charset=utf-8");
  return new Response(
    `<!DOCTYPE html><html lang="fr"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>Un instant - Mini Ecommerce</title><style>body{max-width:36rem;margin:20vh auto;padding:0 1.5rem;font-family:system-ui,sans-serif;line-height:1.5;text-align:center}</style></head><body><main><h1>Un instant…</h1><p>${text}</p></main></body></html>`,
    { status: 503, headers: answer },
  );
}
