/** A longer e-mail address cannot receive mail (RFC 5321). */
export const EMAIL_MAX_LENGTH = 254;

/** A longer text is no address in any form. It is not converted: the time for it grows with the square of the length. */
const MAX_TYPED_LENGTH = 4 * EMAIL_MAX_LENGTH;

/**
 * One e-mail address and nothing else: neither spaces nor commas, angle brackets or line breaks, which
 * would make several addresses or another header of it. The domain may have letters of any
 * language; few servers take others than English ones before the @. The flag `i` would let the Kelvin sign
 * and the long s pass for English letters.
 */
const EMAIL =
  /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+(?:\p{L}{2,}|[xX][nN]--[A-Za-z\d-]+)$/u;

/** Is it one e-mail address? */
export function isEmail(text: string): boolean {
  return text.length <= EMAIL_MAX_LENGTH && EMAIL.test(text);
}

/** Are these one address, whatever their case? */
export const isSameEmail = (a: string, b: string): boolean =>
  canonicalEmail(a).toLowerCase() === canonicalEmail(b).toLowerCase();

/**
 * The canonical form in which an e-mail address is stored and compared: composed letters (NFC), and
 * its domain as DNS has it (punycode) where it has others than English ones. Browsers send `x@société.fr` as
 * `x@xn--socit-esab.fr`, programs as it was typed, and both are one mailbox. What is no address
 * stays what it is; so do capitals, which do not matter where addresses are compared.
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
