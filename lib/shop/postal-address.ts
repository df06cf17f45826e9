/** The further lines of a postal address: all may be left out. */
export const ADDRESS_DETAILS = ["recipient", "company", "complement", "phone"] as const;
export type AddressDetail = (typeof ADDRESS_DETAILS)[number];
export type AddressDetails = { [Name in AddressDetail]?: string | undefined };

export interface PostalAddress extends AddressDetails {
  street: string;
  city: string;
  postalCode: string;
}

/** The details that are given; the API, too, leaves out those that are empty. */
export function givenDetails(
  details: {
    [Name in AddressDetail]?: string | null | undefined;
  },
): AddressDetails {
  const given: AddressDetails = {};
  for (const name of ADDRESS_DETAILS) {
    const text = details[name];
    if (text) given[name] = text;
  }
  return given;
}

/**
 * The lines of an address as on an envelope, in the order of the French post (NF Z 10-011): who, where in the
 * building, the street, the town. The phone is not a line.
 *
 * @param name of the person who gets the parcel, where the address names nobody
 */
export function addressLines(address: PostalAddress, name = ""): string[] {
  const { recipient, company, complement, street, postalCode, city } = address;
  const lines = [recipient || name, company, complement, street, `${postalCode} ${city}`];
  return lines.filter((line): line is string => Boolean(line));
}

/** An address in one line. */
export const addressText = (address: PostalAddress): string => addressLines(address).join(", ");
