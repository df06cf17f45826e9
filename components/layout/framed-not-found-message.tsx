"use client";

import { NotFoundMessage } from "@/components/layout/not-found-message";
import { SiteFrame } from "@/components/layout/site-frame";

/** The 404 message with the site's layout around it. */
export const FramedNotFoundMessage = () => (
  <SiteFrame>
    <NotFoundMessage />
  </SiteFrame>
);
