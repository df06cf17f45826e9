import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type BuildOptions, build } from "esbuild";
import nextConfiguration from "@/next-config";
import { ROOT } from "@/scripts/command";

// The server's own code, as one program: server.ts with everything that it imports, the cache handler,
// which Next.js loads by itself, and the thread that draws invoices. They share their modules.

/** Where it is: development and production may run beside each other. */
export const serverFolder = ({ isDev }: { isDev: boolean }): string =>
  path.join(ROOT, "dist", isDev ? "development" : "production");

/** The same for development and production. */
export const NEXT_CONFIGURATION = "dist/next-config.mjs";

const ENTRIES = {
  server: "server.ts",
  "cache-handler": "lib/http/cache/cache-handler.ts",
  "drawing-thread": "lib/invoices/drawing-thread.ts",
};

/** Loaded from node_modules: what Next.js loads from there, too. */
const EXTERNAL = ["next", "@next/env", ...(nextConfiguration.serverExternalPackages ?? [])];

/** How the shop's programs are bundled. */
export const PROGRAM: BuildOptions = {
  bundle: true,
  platform: "node",
  target: "node20",
  logLevel: "error",
};

const options = ({ isDev }: { isDev: boolean }): BuildOptions => ({
  ...PROGRAM,
  absWorkingDir: ROOT,
  entryPoints: ENTRIES,
  outdir: serverFolder({ isDev }),
  outExtension: { ".js": ".mjs" },
  splitting: true,
  sourcemap: isDev && "linked",
  format: "esm",
  jsx: "automatic",
  external: EXTERNAL,
  // Next.js's own work within its requests. These do the same without.
  alias: {
    "next/cache.js": "./lib/http/cache/data-cache.ts",
    "next/server.js": "./lib/http/server/after.ts",
  },
  // Packages that are no ES modules call it.
  banner: {
    js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
  },
});

export async function bundleServer({ isDev }: { isDev: boolean }): Promise<void> {
  rmSync(serverFolder({ isDev }), { recursive: true, force: true });
  await Promise.all([build(options({ isDev })), bundleConfiguration()]);
  copyRedoc(serverFolder({ isDev }));
}

/** What next.config.mjs exports. */
export async function bundleConfiguration(): Promise<void> {
  await build({
    ...PROGRAM,
    entryPoints: [path.join(ROOT, "next-config.ts")],
    outfile: path.join(ROOT, NEXT_CONFIGURATION),
    format: "esm",
  });
}

/** Redoc shows its maker's logo from another host, which the page may not load. */
const REDOC_LOGO = "https://cdn.redoc.ly/redoc/logo-mini.svg";

/** The viewer of the API's manual, with its licences: lib/http/api/docs-page.ts. */
function copyRedoc(folder: string): void {
  const bundle = path.join(ROOT, "node_modules/redoc/bundles/redoc.standalone.js");
  const script = readFileSync(bundle, "utf8");
  if (!script.includes(REDOC_LOGO))
    throw new Error("Redoc no longer has a logo: copy it as it is.");
  writeFileSync(path.join(folder, "redoc.js"), script.replace(REDOC_LOGO, "data:,"));
  copyFileSync(`${bundle}.LICENSE.txt`, path.join(folder, "redoc.js.LICENSE.txt"));
}
