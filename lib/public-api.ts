// Reads the API without the code for calls in a session: public pages load this file.

/** A list of the API: a plain array, or wrapped in a Hydra collection. */
export type ListJson<T> = T[] | { "hydra:member": T[]; "hydra:totalItems"?: number };

/** The members of a list of the API, in either of its forms. */
export function membersOf<T>(list: ListJson<T>): T[] {
  return "hydra:member" in list ? list["hydra:member"] : list;
}

/** The number of items on all pages, if the list states it; else the number of items in this list. */
export function totalOf(list: ListJson<unknown>): number {
  const total = "hydra:totalItems" in list ? list["hydra:totalItems"] : undefined;
  return total ?? membersOf(list).length;
}

/** Milliseconds; the server's own timeout is shorter. */
const TIMEOUT_MS = 30_000;

/** A signal that aborts when the given one does, or after the timeout. */
export function timeoutSignal(signal?: AbortSignal): AbortSignal {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  // Safari before 17.4 has no `AbortSignal.any`.
  return signal ? (AbortSignal.any?.([signal, timeout]) ?? signal) : timeout;
}

/**
 * The response to a GET without a token; throws on any failure.
 *
 * @param url starts with `/api`
 */
export async function getPublic(
  url: string,
  { accept, signal }: { accept?: string; signal?: AbortSignal | undefined } = {},
): Promise<Response> {
  const response = await fetch(url, {
    ...(accept !== undefined && { headers: { Accept: accept } }),
    signal: timeoutSignal(signal),
  });
  if (!response.ok) throw new Error(`GET ${url.split("?", 1)}: ${response.status}`);
  return response;
}
