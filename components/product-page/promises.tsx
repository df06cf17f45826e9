import type { ReactNode } from "react";
import { DownloadIcon, ReturnIcon, ShieldIcon, TruckIcon } from "@/components/ui/icons";
import type { DeliveryPromise } from "@/lib/shipping-methods/rules";
import { deliveryText } from "@/lib/shipping-methods/texts";
import type { ProductType } from "@/lib/shop/product-type";
import { CHANGE_OF_MIND } from "@/lib/withdrawals/texts";

interface PromisesProps {
  productType: ProductType;
  /** Euros. */
  price: number;
  /** Null for a file, and where no method can carry the product. */
  delivery: DeliveryPromise | null;
}

/** Delivery, return and payment, as they apply to this product. */
export function Promises({ productType, price, delivery }: PromisesProps) {
  return (
    <ul aria-label="Nos engagements" className="flex flex-col gap-2.5 text-sm">
      {delivery && <Line icon={<TruckIcon />}>{deliveryText(delivery)}</Line>}
      {productType === "physical" ? (
        <Line icon={<ReturnIcon />}>{CHANGE_OF_MIND}</Line>
      ) : (
        <Line icon={<DownloadIcon />}>
          {price > 0 ? "Disponible dès le paiement" : "Disponible dès la commande"}
        </Line>
      )}
      {price > 0 && (
        <Line icon={<ShieldIcon />}>Paiement par carte, authentifié par votre banque</Line>
      )}
    </ul>
  );
}

function Line({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <li className="flex gap-3">
      <span className="mt-px shrink-0 text-accent">{icon}</span>
      <span>{children}</span>
    </li>
  );
}
