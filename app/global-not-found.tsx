import type { Viewport } from "next";
import { fontClassName } from "@/app/fonts/figtree";
import { preloadFont } from "@/app/fonts/preload";
import { Document } from "@/components/layout/document";
import { LazyFramedNotFoundMessage } from "@/components/layout/lazy-not-found";
import { notFoundMetadata } from "@/lib/seo/metadata";
import "./globals.css";

export const metadata = notFoundMetadata();

export const viewport: Viewport = { width: "device-width", initialScale: 1, themeColor: "#ffffff" };

/**
 * The page for unknown addresses: complete HTML, rendered by the build, without configuration. Not
 * `not-found.tsx`, which would be part of every page's RSC payload.
 */
export default function GlobalNotFound() {
  preloadFont();
  return (
    <Document className={fontClassName}>
      <LazyFramedNotFoundMessage />
    </Document>
  );
}
