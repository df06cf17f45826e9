import { BannerImage } from "@/components/home/banner-image";
import { Greeting } from "@/components/home/greeting";
import { ShownTo } from "@/components/layout/shown-to";
import { ButtonLink } from "@/components/ui/button";
import { GREETING_SCRIPT } from "@/lib/http/server/inline-scripts";

const SLOGAN = "Des objets bien faits, des fichiers utiles.";
const slogan = "font-display text-display";

/**
 * Greets visitors who are logged in above the slogan, and invites guests to register; CSS shows one of the
 * two. The greeting is then the page's heading.
 */
export function Banner() {
  return (
    <section className="overflow-hidden bg-ground">
      <div className="page-column grid items-center gap-x-8 md:min-h-[22.5rem] md:grid-cols-2 lg:grid-cols-[5fr_6fr] lg:min-h-[23.5rem]">
        <div className="flex flex-col items-start gap-4 pt-8 md:gap-5 md:py-10">
          <div>
            <h1>
              <ShownTo audience="unnamed">
                <span className={`named:hidden ${slogan}`}>{SLOGAN}</span>
              </ShownTo>
              <ShownTo audience="named">
                <Greeting />
              </ShownTo>
            </h1>
            {/* Right after the greeting: the script fills in the greeting before the first paint. */}
            {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant */}
            <script dangerouslySetInnerHTML={{ __html: GREETING_SCRIPT }} />
            <ShownTo audience="named">
              <p className={`mt-2 unnamed:hidden ${slogan}`}>{SLOGAN}</p>
            </ShownTo>
          </div>
          <p className="max-w-prose text-muted md:text-lg">
            Une petite boutique choisie avec soin&nbsp;: de quoi créer, travailler et habiter chez
            soi, à recevoir ou à télécharger.
          </p>
          <p className="flex flex-wrap items-center gap-x-6 gap-y-2">
            <ButtonLink href="/products">Parcourir le catalogue</ButtonLink>
            <ShownTo audience="unnamed">
              <ButtonLink
                href="/register"
                prefetch={false}
                variant="secondary"
                className="named:hidden"
              >
                <span className="sm:whitespace-nowrap">Créer un compte et rejoignez-nous !</span>
              </ButtonLink>
            </ShownTo>
          </p>
        </div>
        <BannerImage className="mx-auto aspect-31/20 w-full max-w-68 mask-x-from-94% md:max-w-145 md:self-end" />
      </div>
    </section>
  );
}
