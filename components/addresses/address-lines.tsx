import { Fragment } from "react";
import { addressLines, type PostalAddress } from "@/lib/shop/postal-address";

/** A postal address as on an envelope, with the name only if the address has its own; and its phone. */
export function AddressLines({ address }: { address: PostalAddress }) {
  return (
    <>
      {addressLines(address).map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of an address have no other key.
        <Fragment key={index}>
          {index > 0 && <br />}
          <span>{line}</span>
        </Fragment>
      ))}
      {address.phone && (
        <>
          <br />
          <span className="text-muted text-sm">{`Tél.\u00a0: ${address.phone}`}</span>
        </>
      )}
    </>
  );
}
