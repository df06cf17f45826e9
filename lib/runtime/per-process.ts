const PREFIX = "mini-ecommerce.";

/**
 * The process's only value of this name, created at its first use. Next.js loads the shop's code several
 * times in a process: for pages, for routes, for the middleware. Singletons such as the connection pool are
 * therefore created here. Only cache-handler.mjs, which imports nothing of the shop, keeps its own.
 */
export function perProcess<T extends object>(name: string, make: () => T): T {
  const values = globalThis as unknown as Record<symbol, T | undefined>;
  const key = Symbol.for(PREFIX + name);
  values[key] ??= make();
  return values[key];
}
