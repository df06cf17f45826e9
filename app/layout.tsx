import type { Viewport } from "next";
import type { ReactNode } from "react";
import { fontClassName } from "@/app/fonts/figtree";
import { Document } from "@/components/layout/document";
import { siteMetadata } from "@/lib/seo/metadata";
import "./globals.css";

export const metadata = siteMetadata;

export const viewport: Viewport = { width: "device-width", initialScale: 1, themeColor: "#ffffff" };

export default function RootLayout({ children }: { children: ReactNode }) {
  return <Document className={fontClassName}>{children}</Document>;
}
