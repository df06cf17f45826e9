import { namedCarrier } from "@/lib/shipments/rules";

interface TrackingLinkProps {
  shipment: { carrier: string; trackingNumber: string | null; trackingUrl: string | null };
}

/** A parcel's carrier and number, with the carrier's page where it is known. */
export function TrackingLink({ shipment }: TrackingLinkProps) {
  const { trackingUrl } = shipment;
  const text = textOf(shipment);
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

function textOf({ carrier, trackingNumber }: TrackingLinkProps["shipment"]): string {
  const name = namedCarrier(carrier);
  if (name) return trackingNumber ? `${name} ${trackingNumber}` : name;
  return trackingNumber ? `Suivi\u00a0: ${trackingNumber}` : "Envoi sans suivi";
}
