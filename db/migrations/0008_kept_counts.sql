CREATE TABLE "label_sizes" (
	"kind" smallint NOT NULL,
	"label_id" integer NOT NULL,
	"products" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "order_sums" (
	"day" date NOT NULL,
	"orders" integer NOT NULL,
	"total_cents" bigint NOT NULL
);
--> statement-breakpoint
DROP INDEX "orders_date_total_idx";--> statement-breakpoint
DROP INDEX "invoices_date_idx";--> statement-breakpoint
DROP INDEX "invoices_total_idx";--> statement-breakpoint
CREATE INDEX "label_sizes_label_idx" ON "label_sizes" USING btree ("kind","label_id");--> statement-breakpoint
CREATE INDEX "order_sums_day_idx" ON "order_sums" USING btree ("day");--> statement-breakpoint
CREATE INDEX "invoices_date_idx" ON "invoices" USING btree ("issued_at","id") WHERE "invoices"."archived_at" is null;--> statement-breakpoint
CREATE INDEX "invoices_total_idx" ON "invoices" USING btree ("total_cents","id") WHERE "invoices"."archived_at" is null;--> statement-breakpoint
-- Sums that are kept as changes. Each write adds a row, so that nobody waits for anybody; about every
-- sixteenth replaces the rows that are free by their sum. Whoever reads adds up what there is.
CREATE FUNCTION order_sums_add(changed date, number int, cents bigint) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO public.order_sums (day, orders, total_cents) VALUES (changed, number, cents);
  IF random() < 1.0 / 16 THEN
    WITH gone AS (
      DELETE FROM public.order_sums
      WHERE ctid = ANY (ARRAY(SELECT ctid FROM public.order_sums WHERE day = changed
                              FOR UPDATE SKIP LOCKED))
      RETURNING orders, total_cents
    )
    INSERT INTO public.order_sums (day, orders, total_cents)
    SELECT changed, sum(orders), sum(total_cents) FROM gone
    HAVING sum(orders) <> 0 OR sum(total_cents) <> 0;
  END IF;
END $$;
--> statement-breakpoint
CREATE FUNCTION order_sums_recount() RETURNS void LANGUAGE sql AS $$
  DELETE FROM public.order_sums;
  INSERT INTO public.order_sums (day, orders, total_cents)
  SELECT (ordered_at AT TIME ZONE 'Europe/Paris')::date, count(*), sum(total_cents)
  FROM public.orders GROUP BY 1;
$$;
--> statement-breakpoint
CREATE FUNCTION order_sums_on_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    PERFORM public.order_sums_recount();
    RETURN NULL;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    PERFORM public.order_sums_add(
      (OLD.ordered_at AT TIME ZONE 'Europe/Paris')::date, -1, -OLD.total_cents);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    PERFORM public.order_sums_add(
      (NEW.ordered_at AT TIME ZONE 'Europe/Paris')::date, 1, NEW.total_cents);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER order_sums_on_order
AFTER INSERT OR DELETE OR UPDATE OF ordered_at, total_cents ON orders
FOR EACH ROW EXECUTE FUNCTION order_sums_on_order();
--> statement-breakpoint
CREATE TRIGGER order_sums_on_truncate
AFTER TRUNCATE ON orders FOR EACH STATEMENT EXECUTE FUNCTION order_sums_on_order();
--> statement-breakpoint
CREATE FUNCTION label_sizes_add(label_kind int, label int, number int) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO public.label_sizes (kind, label_id, products) VALUES (label_kind, label, number);
  IF random() < 1.0 / 16 THEN
    WITH gone AS (
      DELETE FROM public.label_sizes
      WHERE ctid = ANY (ARRAY(SELECT ctid FROM public.label_sizes
                              WHERE kind = label_kind AND label_id = label
                              FOR UPDATE SKIP LOCKED))
      RETURNING products
    )
    INSERT INTO public.label_sizes (kind, label_id, products)
    SELECT label_kind, label, sum(products) FROM gone HAVING sum(products) <> 0;
  END IF;
END $$;
--> statement-breakpoint
CREATE FUNCTION label_sizes_recount() RETURNS void LANGUAGE sql AS $$
  DELETE FROM public.label_sizes;
  INSERT INTO public.label_sizes (kind, label_id, products)
  SELECT kind, facet_id, count(*) FROM public.product_listings WHERE kind <> 0 GROUP BY 1, 2
  UNION ALL
  SELECT 3, default_category_id, count(*) FROM public.products GROUP BY 2;
$$;
--> statement-breakpoint
-- A product enters and leaves a list, and does not move from one to another.
CREATE FUNCTION label_sizes_on_listing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    PERFORM public.label_sizes_recount();
  ELSE
    PERFORM public.label_sizes_add(
      kind, facet_id, (CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END)::int)
    FROM changed WHERE kind <> 0 GROUP BY kind, facet_id;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER label_sizes_on_listing
AFTER INSERT ON product_listings REFERENCING NEW TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION label_sizes_on_listing();
--> statement-breakpoint
CREATE TRIGGER label_sizes_on_unlisting
AFTER DELETE ON product_listings REFERENCING OLD TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION label_sizes_on_listing();
--> statement-breakpoint
CREATE TRIGGER label_sizes_on_truncate
AFTER TRUNCATE ON product_listings FOR EACH STATEMENT EXECUTE FUNCTION label_sizes_on_listing();
--> statement-breakpoint
CREATE FUNCTION label_sizes_on_product() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    PERFORM public.label_sizes_add(3, OLD.default_category_id, -1);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    PERFORM public.label_sizes_add(3, NEW.default_category_id, 1);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER label_sizes_on_product
AFTER INSERT OR DELETE OR UPDATE OF default_category_id ON products
FOR EACH ROW EXECUTE FUNCTION label_sizes_on_product();
--> statement-breakpoint
-- What existing shops have. The triggers above keep everybody from writing until this is done.
SELECT order_sums_recount();
--> statement-breakpoint
SELECT label_sizes_recount();
--> statement-breakpoint
-- A search asks the planner how common a word is (lib/backoffice/search.ts): to one in two hundred.
ALTER INDEX users_text_idx ALTER COLUMN 1 SET STATISTICS 200;
--> statement-breakpoint
ALTER INDEX addresses_text_idx ALTER COLUMN 1 SET STATISTICS 200;
--> statement-breakpoint
ALTER INDEX orders_text_idx ALTER COLUMN 1 SET STATISTICS 200;
--> statement-breakpoint
ALTER INDEX invoices_text_idx ALTER COLUMN 1 SET STATISTICS 200;
--> statement-breakpoint
ALTER INDEX reviews_text_idx ALTER COLUMN 1 SET STATISTICS 200;
