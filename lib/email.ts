/** An address longer than this cannot receive mail (RFC 5321). */
export const EMAIL_MAX_LENGTH = 254;

/**
 * One address and nothing else: neither spaces nor commas, angle brackets or line breaks, which
 * would make several addresses or another header of it. The domain may have letters of any
 * language; few servers take others than English ones before the @.
 */
const EMAIL =
  /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+(?:\p{L}{2,}|xn--[a-z\d-]+)$/iu;

/** Is it one address that mail can be sent to? */
export function isEmail(text: string): boolean {
  return text.length <= EMAIL_MAX_LENGTH && EMAIL.test(text);
}
