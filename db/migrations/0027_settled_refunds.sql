-- Orders stayed open whose money had all gone back while another refund waited, and their withdrawals, too.
WITH "ended" AS (
  SELECT "o"."id", EXISTS (
      SELECT FROM "order_lines" "l" WHERE "l"."order_id" = "o"."id"
        AND "l"."product_type" = 'physical' AND "l"."shipped_quantity" > 0
    ) AS "has_parcel"
  FROM "orders" "o"
  WHERE "o"."refunded_cents" > 0 AND "o"."refunded_cents" >= coalesce(
    (SELECT "c"."total_cents" FROM "checkouts" "c" WHERE "c"."order_id" = "o"."id"),
    (SELECT coalesce(
        (SELECT ("v"."content"->>'totalCents')::int FROM "invoice_versions" "v"
          WHERE "v"."invoice_id" = "i"."id" ORDER BY "v"."version" LIMIT 1),
        "i"."total_cents")
      FROM "invoices" "i" WHERE "i"."order_id" = "o"."id" AND "i"."source" = 'checkout'),
    "o"."total_cents")
), "settled" AS (
  UPDATE "withdrawals" SET "state" = 'refunded', "settled_at" = now()
  FROM "ended" WHERE "withdrawals"."order_id" = "ended"."id" AND "withdrawals"."state" = 'received'
)
UPDATE "orders" SET
  "status" = CASE WHEN "ended"."has_parcel" THEN 'shipped' ELSE 'cancelled' END,
  "cancelled_at" = CASE WHEN "ended"."has_parcel" THEN NULL ELSE now() END,
  "prepared_at" = CASE WHEN "ended"."has_parcel" THEN coalesce("prepared_at", now()) ELSE "prepared_at" END,
  "updated_at" = now(),
  "version" = "version" + 1
FROM "ended" WHERE "orders"."id" = "ended"."id" AND "orders"."status" IN ('paid', 'preparing');
