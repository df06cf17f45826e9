interface TrackingLinkProps {
  shipment: { carrier: string; trackingNumber: string | null; trackingUrl: string | null };
}

/** A parcel's carrier and number, with the carrier's page where it is known. */
export function TrackingLink({ shipment }: TrackingLinkProps) {
  const { carrier, trackingNumber, trackingUrl } = shipment;
  const text = trackingNumber ? `${carrier} ${trackingNumber}` : carrier;
  if (!trackingUrl) return <span className="[overflow-wrap:anywhere]">{text}</span>;
  return (
    <a
      href={trackingUrl}
      target="_blank"
      rel="noreferrer"
      aria-label={`Suivre le colis ${text}`}
      className="link [overflow-wrap:anywhere]"
    >
      {text}
    </a>
  );
}
