import useSWR, { type BareFetcher, type SWRConfiguration } from "swr";
import type { ApiError } from "@/lib/api-error";

/** Loads the data of a screen. A failed request is not repeated automatically: the visitor decides. */
export function useLoaded<Data>(
  key: string | readonly [string, ...unknown[]],
  load: BareFetcher<Data>,
  options: SWRConfiguration<Data, ApiError> = {},
) {
  const { data, error, mutate } = useSWR<Data, ApiError>(key, load, {
    shouldRetryOnError: false,
    ...options,
  });
  return {
    data,
    mutate,
    isLoading: data === undefined && error === undefined,
    /** The error if there is nothing to show; null while the browser is redirected to the login. */
    failure: data === undefined && error && !error.isSessionOver ? error : null,
  };
}
