import { Badge, type BadgeTone } from "@/components/ui/badge";
import { ORDER_STATUS_LABELS, type OrderStatus } from "@/lib/shop/order-status";

const TONES: Record<OrderStatus, BadgeTone> = {
  paid: "warning",
  preparing: "info",
  shipped: "accent",
  delivered: "success",
  cancelled: "neutral",
};

export function OrderStatusBadge({ status }: { status: OrderStatus }) {
  return <Badge tone={TONES[status]}>{ORDER_STATUS_LABELS[status]}</Badge>;
}
