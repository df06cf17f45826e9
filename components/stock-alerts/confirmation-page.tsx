import { AlertConfirmation } from "@/components/stock-alerts/alert-confirmation";

/** The page of the mailed link. The link's token is in the fragment, so the page is the same for everybody. */
export function ConfirmationPage() {
  return (
    <div className="page-column flex justify-center py-8 md:py-14">
      <div className="w-full max-w-xl">
        <h1 className="text-title">Alerte de disponibilité</h1>
        <p className="mt-6 hidden noscript:block">Cette page a besoin de JavaScript.</p>
        {/* As high as with its answer, so that nothing moves. */}
        <div className="mt-6 min-h-72 rounded-xl bg-surface p-5 noscript:hidden sm:p-8 md:mt-8">
          <AlertConfirmation />
        </div>
      </div>
    </div>
  );
}
