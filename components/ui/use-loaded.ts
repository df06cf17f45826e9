import useSWR, { type BareFetcher, type SWRConfiguration } from "swr";
import type { ApiError } from "@/lib/api-error";

/** What a screen shows once it is loaded. A failure is not repeated by itself: the visitor decides. */
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
    /** Why there is nothing to show; null also where the browser is on its way to the login. */
    failure: data === undefined && error && !error.isSessionOver ? error : null,
  };
}
