"use client";

import { lazy } from "react";

// Next.js loads the code of both 404 pages with every other page. These few lines are all of it; the rest is
// loaded where a 404 page is shown.

const Message = lazy(async () => {
  const { NotFoundMessage } = await import("@/components/layout/not-found-message");
  return { default: NotFoundMessage };
});

const FramedMessage = lazy(async () => {
  const { FramedNotFoundMessage } = await import("@/components/layout/framed-not-found-message");
  return { default: FramedNotFoundMessage };
});

/** The 404 message inside the site's layout. */
export const LazyNotFoundMessage = () => <Message />;

/** The 404 message with the site's layout around it. */
export const LazyFramedNotFoundMessage = () => <FramedMessage />;
