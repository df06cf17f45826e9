// The configuration is next-config.ts, bundled by scripts/bundle.ts: if Next.js read TypeScript here, each server
// would load its compiler, which takes 28 MiB.
export { default } from "./dist/next-config.mjs";
