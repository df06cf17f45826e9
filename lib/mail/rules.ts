const MINUTE = 60;
const HOUR = 3600;

/** Seconds before the second attempt; every further wait is twice as long … */
const FIRST_WAIT = MINUTE;
/** … up to this many. */
const LONGEST_WAIT = 6 * HOUR;

/** After so many attempts, nearly three days, a mail is given up: it stays as `failed`. */
export const MAX_ATTEMPTS = 20;

/**
 * Seconds until the next attempt of a mail that was tried `attempts` times; null when it is to be
 * given up. Up to a fifth is added at random, so that mails which failed together
 * do not come back together.
 *
 * @param retryAfter seconds that the provider asks for; it is not asked sooner
 * @param random from 0 to 1
 */
export function nextWait({
  attempts,
  retryAfter = 0,
  random = Math.random(),
}: {
  attempts: number;
  retryAfter?: number;
  random?: number;
}): number | null {
  if (attempts >= MAX_ATTEMPTS) return null;
  const span = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (attempts - 1));
  const wait = Math.max(span, Math.min(retryAfter, LONGEST_WAIT));
  return Math.round(wait * (1 + random / 5));
}
