import path from "node:path";
import type { NextConfig } from "next";
import { catalogueRewrites } from "./lib/catalogue/address";

/** Pages for visitors live below the language, the parameter that keeps them out of the build: decision 002. */
const LOCALE = "/fr";

const config: NextConfig = {
  poweredByHeader: false,
  // Next.js's own gzip costs half of the throughput; a proxy or CDN does it better: docs/performance.md.
  compress: false,
  // `npm run verify` checks the types; a visitor's first start does not wait for it.
  typescript: { ignoreBuildErrors: true },
  cacheHandler: path.resolve("./cache-handler.mjs"),
  cacheMaxMemorySize: 0,
  serverExternalPackages: ["pg", "sharp", "@node-rs/argon2", "ioredis", "rate-limiter-flexible"],
  // The title and description belong into the head for everyone, not only for known crawlers.
  htmlLimitedBots: /.*/,
  images: {
    formats: ["image/webp"],
    deviceSizes: [360, 640, 828, 1080],
    imageSizes: [96, 192, 288],
    qualities: [75],
    localPatterns: [{ pathname: "/images/**", search: "" }],
    minimumCacheTTL: 86_400,
  },
  rewrites: async () => ({
    beforeFiles: [
      { source: "/", destination: LOCALE },
      { source: "/contact", destination: `${LOCALE}/contact` },
      { source: "/contact/merci", destination: `${LOCALE}/contact/merci` },
      { source: "/product/:id", destination: `${LOCALE}/product/:id` },
      ...catalogueRewrites(LOCALE),
    ],
    afterFiles: [],
    fallback: [{ source: "/:path*", destination: `${LOCALE}/404` }],
  }),
  redirects: async () => [
    { source: LOCALE, destination: "/", permanent: true },
    { source: `${LOCALE}/:path*`, destination: "/:path*", permanent: true },
  ],
  headers: async () => [
    {
      source: "/:path*",
      headers: [
        { key: "X-Content-Type-Options", value: "nosniff" },
        { key: "X-Frame-Options", value: "DENY" },
        { key: "Referrer-Policy", value: "strict-origin-when-cross-origin" },
      ],
    },
  ],
};

export default config;
