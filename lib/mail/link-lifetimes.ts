// Seconds until the links in mails expire. A mail that is still waiting then is not sent.

export const RESET_LIFETIME = 3600;
export const CONFIRMATION_LIFETIME = 48 * 3600;
