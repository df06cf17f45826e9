const PREFIX = "mini-ecommerce.";

/**
 * The one value of that name in this process, made at its first use. The shop's code is in a process more
 * than once: in the server (server.ts), in Next.js's bundles and in the cache handler. What there may be
 * only one of, such as the pool of connections, comes from here. No other file names `globalThis`.
 */
export function perProcess<T extends object>(name: string, make: () => T): T {
  const values = globalThis as unknown as Record<symbol, T | undefined>;
  const key = Symbol.for(PREFIX + name);
  values[key] ??= make();
  return values[key];
}
