/** A longer e-mail address cannot receive mail (RFC 5321). */
export const EMAIL_MAX_LENGTH = 254;

/**
 * A longer text cannot be an address. It is not converted: the conversion takes time quadratic in the
 * length.
 */
const MAX_TYPED_LENGTH = 4 * EMAIL_MAX_LENGTH;

/**
 * One e-mail address and nothing else. Spaces, commas, angle brackets and line breaks would add another
 * address or header to a mail. The domain may have letters of any language; before the @, few servers
 * accept others than English ones. There is no flag `i`: it would accept the Kelvin sign and the long s as
 * English letters.
 */
const EMAIL =
  /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+(?:\p{L}{2,}|[xX][nN]--[A-Za-z\d-]+)$/u;

export function isEmail(text: string): boolean {
  return text.length <= EMAIL_MAX_LENGTH && EMAIL.test(text);
}

/** Compares two addresses without regard to case. */
export const isSameEmail = (a: string, b: string): boolean =>
  canonicalEmail(a).toLowerCase() === canonicalEmail(b).toLowerCase();

/**
 * The form in which an e-mail address is stored and compared: composed letters (NFC), and the domain in
 * punycode if it has other than English letters. Browsers send `x@société.fr` as `x@xn--socit-esab.fr`,
 * other programs as it was typed; both are one mailbox. A text that is no address is returned unchanged.
 * Capitals stay, since comparisons ignore case.
 */
export function canonicalEmail(text: string): string {
  if (text.length > MAX_TYPED_LENGTH) return text;
  const email = text.normalize("NFC");
  const at = email.indexOf("@") + 1;
  const domain = email.slice(at);
  const isForeign = /^[\p{L}\p{M}\p{N}.-]+$/u.test(domain) && /[^a-z\d.-]/i.test(domain);
  if (at === 0 || !isForeign) return email;
  try {
    return email.slice(0, at) + new URL(`http://${domain}`).hostname;
  } catch {
    return email;
  }
}
