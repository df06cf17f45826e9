/**
 * The cookie with the path of a page that the server redirected because of a session cookie. Scripts may
 * read it: a browser without a session in its storage learns from it that only the session cookie is left,
 * and removes that cookie.
 */
export const REFUSED_PAGE_COOKIE = "refused-page";
