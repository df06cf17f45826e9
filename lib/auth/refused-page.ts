/**
 * The cookie in which the server stores the path of a page that it redirected because of a session
 * cookie. Scripts may read it: a browser without a session in its storage thereby learns that only
 * the cookie is left, and has it removed.
 */
export const REFUSED_PAGE_COOKIE = "refused-page";
