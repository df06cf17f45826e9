import type { Metadata, Viewport } from "next";
import type { ReactNode } from "react";
import { AuthScript } from "@/components/layout/auth-script";
import { fontClassName } from "./fonts/figtree";
import "./globals.css";

export const metadata: Metadata = { title: "Mini Ecommerce" };

export const viewport: Viewport = { width: "device-width", initialScale: 1, themeColor: "#ffffff" };

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="fr" className={fontClassName} suppressHydrationWarning>
      <head>
        <AuthScript />
      </head>
      <body>{children}</body>
    </html>
  );
}
