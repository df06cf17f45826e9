import path from "node:path";
import type { NextConfig } from "next";
import { securityHeaders } from "./lib/http/security-headers";
import { folderOf, pathsOf, SITE } from "./lib/pages";
import { PICTURE_QUALITY, PICTURE_WIDTHS } from "./lib/uploads/resized-picture";

const pageRewrites = pathsOf(({ isRendered }) => !isRendered).map((path) => ({
  source: path,
  destination: SITE + folderOf(path),
}));

/** `npm run bench` builds the shop with bare routes beside it, to compare with: bench/shop.ts. */
const isBenchmark = process.env.NEXT_DIST_DIR === ".next-bench";

/** `npm run build:standalone` gathers what the server needs into one folder: scripts/standalone.ts. */
const isStandalone = process.env.STANDALONE_BUILD === "1";

const config: NextConfig = {
  ...(isStandalone && { output: "standalone" as const }),
  ...(isBenchmark && {
    distDir: ".next-bench",
    pageExtensions: ["tsx", "ts", "jsx", "js", "bench.tsx", "bench.ts"],
  }),
  poweredByHeader: false,
  // An ETag is the hash of the whole text, computed for every request: a fifth of what a cached page
  // costs. It would spare a visitor who reloads a page some kilobytes: docs/performance.md.
  generateEtags: false,
  // Next.js's own gzip costs half of the throughput; a proxy or CDN does it better: docs/performance.md.
  compress: false,
  // `npm run verify` checks the types; a visitor's first start does not wait for it.
  typescript: {
    ignoreBuildErrors: true,
    // Next.js adds its folder to the one it is given.
    ...(isBenchmark && { tsconfigPath: "bench/tsconfig.json" }),
  },
  experimental: {
    globalNotFound: true,
    // Loading the code of every route at the start would double the CPU time of a start, and take 35 MB more.
    preloadEntriesOnStart: false,
    // Bytes. Next.js keeps the body of a request that middleware.ts sees: pages take none.
    proxyClientMaxBodySize: 65_536,
    // Else Next.js would load none of our pages ahead: docs/decisions/045.
    prefetchInlining: false,
    // How long what was loaded ahead may be shown, in seconds.
    staleTimes: { static: 30 },
  },
  // How long a CDN may show a page that has run out while it asks for the next one, in seconds.
  expireTime: 3600,
  cacheHandler: path.resolve("cache-handler.mjs"),
  cacheMaxMemorySize: 0,
  serverExternalPackages: [
    "postgres",
    "sharp",
    "@node-rs/argon2",
    "ioredis",
    "rate-limiter-flexible",
    "@react-pdf/renderer",
    // The log asks it for the request's trace, which there is where a collector is configured.
    "@opentelemetry/api",
    // Loaded where a collector is configured, and not otherwise.
    "@opentelemetry/exporter-metrics-otlp-http",
    "@opentelemetry/exporter-trace-otlp-http",
    "@opentelemetry/resources",
    "@opentelemetry/sdk-metrics",
    "@opentelemetry/sdk-trace-node",
  ],
  // Read by path: fonts of share pictures and documents, the viewer of the API's manual.
  outputFileTracingIncludes: {
    "/**": [
      "app/fonts/figtree-latin-semibold.ttf",
      "node_modules/@expo-google-fonts/*/{400Regular,600SemiBold}/*",
      "node_modules/redoc/bundles/redoc.standalone.js*",
    ],
  },
  // The title and description belong into the head for everyone, not only for known crawlers.
  htmlLimitedBots: /.*/,
  images: {
    formats: ["image/webp"],
    deviceSizes: [...PICTURE_WIDTHS.wide],
    imageSizes: [...PICTURE_WIDTHS.fixed],
    qualities: [PICTURE_QUALITY],
    localPatterns: [{ pathname: "/images/**", search: "" }],
    minimumCacheTTL: 86_400,
    // Bytes. Else they may fill half of the disk.
    maximumDiskCacheSize: 500_000_000,
  },
  rewrites: async () => ({
    beforeFiles: pageRewrites,
    afterFiles: [],
    fallback: [],
  }),
  headers: async () => securityHeaders,
  redirects: async () => [
    { source: SITE, destination: "/", permanent: true },
    { source: `${SITE}/:path*`, destination: "/:path*", permanent: true },
  ],
};

export default config;
