import type { Viewport } from "next";
import { fontClassName } from "@/app/fonts/figtree";
import { preloadFont } from "@/app/fonts/preload";
import { Document } from "@/components/layout/document";
import { NotFoundMessage } from "@/components/layout/not-found-message";
import { SiteFrame } from "@/components/layout/site-frame";
import { notFoundMetadata } from "@/lib/seo/metadata";
import "./globals.css";

export const metadata = notFoundMetadata();

export const viewport: Viewport = { width: "device-width", initialScale: 1, themeColor: "#ffffff" };

/**
 * Every address that no route answers: complete HTML, rendered by the build, so that it knows no
 * configuration. Not `not-found.tsx`, which every page would carry along in its data.
 */
export default function GlobalNotFound() {
  preloadFont();
  return (
    <Document className={fontClassName}>
      <SiteFrame>
        <NotFoundMessage />
      </SiteFrame>
    </Document>
  );
}
