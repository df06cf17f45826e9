"use client";

import { type ReactNode, useId, useState } from "react";
import { Button } from "@/components/ui/button";
import { trackEvent } from "@/lib/analytics/client";
import { EVENTS } from "@/lib/analytics/events";

/** The further reviews (its children) behind a toggle; without JavaScript they all show. */
export function MoreReviews({ count, children }: { count: number; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();

  function toggle() {
    if (!isOpen) trackEvent({ ...EVENTS.reviewSeeMore, value: count });
    setOpen(!isOpen);
  }

  return (
    <>
      <div id={id} className={isOpen ? "border-line border-t" : "hidden noscript:block"}>
        {children}
      </div>
      <Button
        variant="secondary"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={toggle}
        className="mt-4 noscript:hidden"
      >
        {isOpen ? "Voir moins" : `Voir plus (${count} avis supplémentaires)`}
      </Button>
    </>
  );
}
