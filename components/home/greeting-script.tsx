// Long names make the greeting higher: written in while the browser reads the page, they move
// nothing below it. It says the same as Greeting, which takes over later.
const script = `try{let g=k=>localStorage.getItem(k),f=g("userLastName"),n=g("userName");if(f&&n)document.getElementById("greeting").textContent="Bonjour "+f+" "+n+" !"}catch{}`;

/** Stands right behind the greeting. */
export function GreetingScript() {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of this file
  return <script dangerouslySetInnerHTML={{ __html: script }} />;
}
