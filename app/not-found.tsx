import { NotFoundMessage } from "@/components/layout/not-found-message";
import { SiteFrame } from "@/components/layout/site-frame";
import { notFoundMetadata } from "@/lib/seo/metadata";

export const metadata = notFoundMetadata();

/** Every address that no route answers. Rendered by the build: it knows no configuration. */
export default function NotFound() {
  return (
    <SiteFrame>
      <NotFoundMessage />
    </SiteFrame>
  );
}
