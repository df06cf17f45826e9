const PREFIX = "mini-ecommerce.";

/**
 * The process's only value of this name, created at its first use. The shop's code is loaded several times
 * in a process: in the server (server.ts), in Next.js's bundles and in the cache handler. Singletons such
 * as the connection pool are therefore created here. No other file names `globalThis`.
 */
export function perProcess<T extends object>(name: string, make: () => T): T {
  const values = globalThis as unknown as Record<symbol, T | undefined>;
  const key = Symbol.for(PREFIX + name);
  values[key] ??= make();
  return values[key];
}
