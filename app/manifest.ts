import type { MetadataRoute } from "next";
import { SHOP_DESCRIPTION } from "@/lib/seo/texts";
import { SHOP_NAME } from "@/lib/shop/shop-name";

// GET /manifest.webmanifest – name, colours (those of globals.css) and icons of the installed shop
export default function manifest(): MetadataRoute.Manifest {
  return {
    id: "/",
    name: SHOP_NAME,
    short_name: "Mini",
    description: SHOP_DESCRIPTION,
    lang: "fr",
    dir: "ltr",
    start_url: "/",
    scope: "/",
    display: "standalone",
    background_color: "#ffffff",
    theme_color: "#14594a",
    categories: ["shopping"],
    icons: [
      { src: "/icons/icon-192.png", sizes: "192x192", type: "image/png", purpose: "any" },
      { src: "/icons/icon-512.png", sizes: "512x512", type: "image/png", purpose: "any" },
      {
        src: "/icons/icon-maskable-192.png",
        sizes: "192x192",
        type: "image/png",
        purpose: "maskable",
      },
      {
        src: "/icons/icon-maskable-512.png",
        sizes: "512x512",
        type: "image/png",
        purpose: "maskable",
      },
    ],
    shortcuts: [
      { name: "Nos produits", url: "/products" },
      { name: "Voir le panier", url: "/cart" },
    ],
  };
}
