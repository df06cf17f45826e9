// How long the links of mails are good, in seconds. A mail that waits longer is not sent any more.

export const RESET_LIFETIME = 3600;
export const CONFIRMATION_LIFETIME = 48 * 3600;
