/** Stands in the place of the wallets' buttons. */
export function SandboxWallets() {
  return (
    <p className="rounded-md border border-line border-dashed px-4 py-3 text-center text-muted text-sm">
      Ici, Apple Pay et Google Pay&nbsp;: avec de vraies clés seulement.
    </p>
  );
}
