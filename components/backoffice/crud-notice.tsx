import type { ReactNode } from "react";
import { Alert } from "@/components/ui/alert";
import type { FormResult } from "@/components/ui/form-alert";

interface CrudNoticeProps {
  notice: FormResult | null;
  /** Shown below it. */
  followUp: ReactNode;
}

/** How an action went, in sight wherever the list is scrolled to. */
export function CrudNotice({ notice, followUp }: CrudNoticeProps) {
  if (!notice && !followUp) return null;
  return (
    <div className="sticky top-20 z-10 flex max-h-[40dvh] shrink-0 flex-col gap-2 overflow-y-auto rounded-md bg-bg lg:top-4">
      {notice && <Alert kind={notice.kind}>{notice.text}</Alert>}
      {followUp}
    </div>
  );
}

/**
 * For what contains the list: where the page scrolls and not the list alone, what has the focus is scrolled out
 * from under the notice.
 */
export const BELOW_NOTICE =
  "max-lg:[&_td_:is(a,button,input)]:scroll-mt-[calc(40dvh+5rem)] [@media(max-height:40rem)]:[&_td_:is(a,button,input)]:scroll-mt-[calc(40dvh+5rem)]";
