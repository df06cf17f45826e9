-- Each of these waits for writers and keeps them waiting while it is made: on large tables it can be made
-- before by hand, with CONCURRENTLY, and is then left as it is (docs/deployment.md).
CREATE INDEX IF NOT EXISTS "payment_events_date_idx" ON "payment_events" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "contact_messages_date_idx" ON "contact_messages" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "mail_outbox_failed_idx" ON "mail_outbox" USING btree ("created_at") WHERE "mail_outbox"."status" = 'failed';--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "checkouts_ended_idx" ON "checkouts" USING btree ("updated_at") WHERE "checkouts"."status" in ('cancelled', 'refunded');--> statement-breakpoint
-- To be counted anew while the shop runs, a table must have no writers: what is written between the two
-- statements would be counted twice. Writers take products before the lists, and so does this.
CREATE OR REPLACE FUNCTION order_sums_recount() RETURNS void LANGUAGE sql AS $$
  LOCK TABLE public.orders IN SHARE MODE;
  DELETE FROM public.order_sums;
  INSERT INTO public.order_sums (day, orders, total_cents)
  SELECT (ordered_at AT TIME ZONE 'Europe/Paris')::date, count(*), sum(total_cents)
  FROM public.orders GROUP BY 1;
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION label_sizes_recount() RETURNS void LANGUAGE sql AS $$
  LOCK TABLE public.products, public.product_listings IN SHARE MODE;
  DELETE FROM public.label_sizes;
  INSERT INTO public.label_sizes (kind, label_id, products)
  SELECT kind, facet_id, count(*) FROM public.product_listings WHERE kind <> 0 GROUP BY 1, 2
  UNION ALL
  SELECT 3, default_category_id, count(*) FROM public.products GROUP BY 2;
$$;
--> statement-breakpoint
-- Last, since readers wait for it: 3 s at most.
ALTER TABLE "checkouts" RENAME CONSTRAINT "checkouts_total_positive" TO "checkouts_total_not_negative";
