/**
 * The cookie in which the server leaves the path of a page that it refused to somebody who counts as
 * logged in there. Scripts may read it: a browser that has no session of its own thereby learns
 * that only its session cookie is left, and has it taken away.
 */
export const REFUSED_PAGE_COOKIE = "refused-page";

/** Seconds that a browser has to notice. */
export const REFUSED_PAGE_LIFETIME = 10;
