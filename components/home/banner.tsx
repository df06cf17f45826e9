import { BannerImage } from "@/components/home/banner-image";
import { Greeting } from "@/components/home/greeting";
import { ShownTo } from "@/components/layout/shown-to";
import { ButtonLink } from "@/components/ui/button";
import { GREETING_SCRIPT } from "@/lib/http/server/inline-scripts";

/** Greets visitors who are logged in, and invites guests to register; CSS shows one of the two. */
export function Banner() {
  return (
    <section className="bg-accent-soft">
      <div className="page-column grid items-center gap-8 py-10 md:grid-cols-2 md:py-14">
        <div className="flex flex-col items-start gap-6">
          <h1 className="text-display">
            <ShownTo audience="unnamed">
              <span className="named:hidden">Des objets bien faits, des fichiers utiles.</span>
            </ShownTo>
            <ShownTo audience="named">
              <Greeting />
            </ShownTo>
          </h1>
          {/* Right after the greeting: the script fills in the greeting before the first paint. */}
          {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant */}
          <script dangerouslySetInnerHTML={{ __html: GREETING_SCRIPT }} />
          <p className="max-w-prose text-lg text-muted">
            Une petite boutique choisie avec soin&nbsp;: de quoi créer, travailler et habiter chez
            soi, à recevoir ou à télécharger.
          </p>
          <p className="flex flex-wrap gap-3">
            <ButtonLink href="/products" size="lg">
              Parcourir le catalogue
            </ButtonLink>
            <ShownTo audience="unnamed">
              <ButtonLink
                href="/register"
                prefetch={false}
                variant="secondary"
                size="lg"
                className="named:hidden"
              >
                Créer un compte et rejoignez-nous !
              </ButtonLink>
            </ShownTo>
          </p>
        </div>
        <BannerImage className="aspect-31/20 w-full object-contain" />
      </div>
    </section>
  );
}
