interface AddressLinesProps {
  address: { street: string; postalCode: string; city: string };
}

/** A postal address as on an envelope, without the name. */
export function AddressLines({ address: { street, postalCode, city } }: AddressLinesProps) {
  return (
    <>
      <span>{street}</span>
      <br />
      <span>{`${postalCode} ${city}`}</span>
    </>
  );
}
