const MINUTE = 60;
const HOUR = 3600;

/** Seconds before the second attempt; doubled for each further attempt … */
const INITIAL_BACKOFF = MINUTE;
/** … up to this maximum. */
const MAX_BACKOFF = 6 * HOUR;

/** After this many attempts, in an hour, further failures are logged as errors. */
export const ALERT_AFTER_ATTEMPTS = 6;

/** After this many attempts, in nearly three days, a mail is `failed`. */
export const MAX_ATTEMPTS = 20;

/**
 * Seconds until the next attempt of a mail that was tried `attempts` times; null for no further attempt.
 * Exponential backoff with a jitter of up to a fifth.
 *
 * @param retryAfter minimum in seconds, from the provider
 * @param random from 0 to 1
 */
export function retryDelay({
  attempts,
  retryAfter = 0,
  random = Math.random(),
}: {
  attempts: number;
  retryAfter?: number;
  random?: number;
}): number | null {
  if (attempts >= MAX_ATTEMPTS) return null;
  const backoff = Math.min(MAX_BACKOFF, INITIAL_BACKOFF * 2 ** (attempts - 1));
  const wait = Math.max(backoff, Math.min(retryAfter, MAX_BACKOFF));
  return Math.round(wait * (1 + random / 5));
}
