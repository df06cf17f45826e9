import { preloadFont } from "@/app/fonts/preload";
import { SiteFrame } from "@/components/layout/site-frame";
import { UnavailableMessage } from "@/components/layout/unavailable-message";
import { unavailableMetadata } from "@/lib/seo/metadata";

export const metadata = unavailableMetadata();

// Rendered by the build, without database and configuration. Sent instead of every page that
// cannot be rendered: lib/http/server/error-page.ts.
export default function UnavailablePage() {
  preloadFont();
  return (
    <SiteFrame>
      <UnavailableMessage />
    </SiteFrame>
  );
}
