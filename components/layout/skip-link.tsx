/** The first element in the tab order; leads to `<main id="contenu" tabIndex={-1}>`. */
export function SkipLink() {
  return (
    <a
      href="#contenu"
      className="fixed top-2 left-2 z-50 -translate-y-16 rounded-md bg-accent px-4 py-2.5 font-medium text-on-accent focus:translate-y-0 print:hidden"
    >
      Aller au contenu
    </a>
  );
}
