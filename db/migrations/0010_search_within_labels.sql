-- Products know their labels, so that one index finds those of a category, or with a tag, that hold
-- the words of a search (docs/decisions/046). The tables of labels stay what people write; triggers
-- keep the copies, once per statement, and the catalogue's index with them.
DROP INDEX "products_search_idx";
--> statement-breakpoint
DROP TRIGGER product_listings_on_category ON product_categories;
--> statement-breakpoint
DROP TRIGGER product_listings_on_tag ON product_tags;
--> statement-breakpoint
-- Existing products get their labels while the table is written anew for the columns: an UPDATE would
-- take twice as long, and leave as many dead rows. For as long as that takes the functions are
-- immutable indeed, since nobody can write.
CREATE FUNCTION product_category_ids(product int) RETURNS int[] LANGUAGE sql IMMUTABLE AS $$
  SELECT ARRAY(SELECT category_id FROM public.product_categories WHERE product_id = product ORDER BY 1)
$$;
--> statement-breakpoint
CREATE FUNCTION product_tag_ids(product int) RETURNS int[] LANGUAGE sql IMMUTABLE AS $$
  SELECT ARRAY(SELECT tag_id FROM public.product_tags WHERE product_id = product ORDER BY 1)
$$;
--> statement-breakpoint
ALTER TABLE "products"
  ADD COLUMN "category_ids" integer[] NOT NULL GENERATED ALWAYS AS (product_category_ids(id)) STORED,
  ADD COLUMN "tag_ids" integer[] NOT NULL GENERATED ALWAYS AS (product_tag_ids(id)) STORED;
--> statement-breakpoint
ALTER TABLE "products"
  ALTER COLUMN "category_ids" DROP EXPRESSION, ALTER COLUMN "category_ids" SET DEFAULT '{}',
  ALTER COLUMN "tag_ids" DROP EXPRESSION, ALTER COLUMN "tag_ids" SET DEFAULT '{}';
--> statement-breakpoint
DROP FUNCTION product_category_ids;
--> statement-breakpoint
DROP FUNCTION product_tag_ids;
--> statement-breakpoint
CREATE INDEX "products_search_idx" ON "products" USING gin ("search_vector",("category_ids" || "default_category_id"),"tag_ids");
--> statement-breakpoint
-- How common a label is among products is guessed from the statistics of the index's expression.
ANALYZE products;
--> statement-breakpoint
-- The product is written first: what its listings copy of it is then the newest, whoever else writes
-- it. Its new labels are worked out from those in the row alone, for the same reason.
CREATE OR REPLACE FUNCTION product_listings_on_category() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE public.products p
    SET category_ids = ARRAY(SELECT unnest(p.category_ids || c.ids) ORDER BY 1)
    FROM (SELECT product_id, array_agg(category_id) AS ids FROM changed GROUP BY product_id) c
    WHERE p.id = c.product_id;
    INSERT INTO public.product_listings (kind, facet_id, is_digital, product_id, price_cents, created_at)
    SELECT 1, c.category_id, p.type = 'digital', p.id, p.price_cents, p.created_at
    FROM changed c JOIN public.products p ON p.id = c.product_id
    ON CONFLICT DO NOTHING;
  ELSE
    UPDATE public.products p
    SET category_ids = ARRAY(SELECT id FROM unnest(p.category_ids) id WHERE id <> ALL (c.ids) ORDER BY 1)
    FROM (SELECT product_id, array_agg(category_id) AS ids FROM changed GROUP BY product_id) c
    WHERE p.id = c.product_id;
    DELETE FROM public.product_listings l USING changed c
    WHERE l.product_id = c.product_id AND l.kind = 1 AND l.facet_id = c.category_id
      AND NOT EXISTS (SELECT FROM public.products p
                      WHERE p.id = c.product_id AND p.default_category_id = c.category_id);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER product_listings_on_category
AFTER INSERT ON product_categories REFERENCING NEW TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION product_listings_on_category();
--> statement-breakpoint
CREATE TRIGGER product_listings_off_category
AFTER DELETE ON product_categories REFERENCING OLD TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION product_listings_on_category();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION product_listings_on_tag() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE public.products p
    SET tag_ids = ARRAY(SELECT unnest(p.tag_ids || c.ids) ORDER BY 1)
    FROM (SELECT product_id, array_agg(tag_id) AS ids FROM changed GROUP BY product_id) c
    WHERE p.id = c.product_id;
    INSERT INTO public.product_listings (kind, facet_id, is_digital, product_id, price_cents, created_at)
    SELECT 2, c.tag_id, p.type = 'digital', p.id, p.price_cents, p.created_at
    FROM changed c JOIN public.products p ON p.id = c.product_id
    ON CONFLICT DO NOTHING;
  ELSE
    UPDATE public.products p
    SET tag_ids = ARRAY(SELECT id FROM unnest(p.tag_ids) id WHERE id <> ALL (c.ids) ORDER BY 1)
    FROM (SELECT product_id, array_agg(tag_id) AS ids FROM changed GROUP BY product_id) c
    WHERE p.id = c.product_id;
    DELETE FROM public.product_listings l USING changed c
    WHERE l.product_id = c.product_id AND l.kind = 2 AND l.facet_id = c.tag_id;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER product_listings_on_tag
AFTER INSERT ON product_tags REFERENCING NEW TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION product_listings_on_tag();
--> statement-breakpoint
CREATE TRIGGER product_listings_off_tag
AFTER DELETE ON product_tags REFERENCING OLD TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION product_listings_on_tag();
