-- Pictures: all references to an uploaded picture are found by an index, also those after the first one.
CREATE FUNCTION uploaded_pictures_in(images jsonb) RETURNS text[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT array_agg(name) FROM (
    SELECT substring(image->>'url' from '(?:^|/)([0-9a-f]{40}[.](?:jpg|png|gif|webp))') AS name
    FROM jsonb_array_elements(images) image
  ) names WHERE name IS NOT NULL
$$;
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "products_more_pictures_idx" ON "products" USING gin (uploaded_pictures_in("more_images")) WHERE "products"."more_images" <> '[]'::jsonb;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "products_draft_idx" ON "products" USING btree ("id") WHERE "products"."status" = 'draft';--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_image_is_first" CHECK ("products"."image" is not null or "products"."more_images" = '[]'::jsonb);--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_images_count" CHECK (jsonb_array_length("products"."more_images") <= 11);--> statement-breakpoint
-- Search: brand, reference and barcode, too. The vector was a generated column; a trigger sets it from now on, so
-- that the table and its index need not be written anew.
-- A reference is one lexeme, marked with '#', so that no word of a text equals it. The zeros before a barcode
-- depend on its length: a GTIN-12 is a GTIN-13 with a zero.
CREATE FUNCTION search_references(sku text, gtin text) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_remove(ARRAY[
    '#' || nullif(replace(public.search_normalise(sku), ' ', ''), ''),
    '#' || nullif(ltrim(gtin, '0'), '')], NULL)
$$;
--> statement-breakpoint
CREATE FUNCTION search_vector_of(name text, description text, brand text, sku text, gtin text) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT setweight(to_tsvector('pg_catalog.french', public.search_terms(coalesce(name, '') || coalesce(' ' || brand, ''))), 'A')
      || setweight(to_tsvector('pg_catalog.french', public.search_terms(left(coalesce(description, ''), 20000))), 'C')
      || array_to_tsvector(public.search_references(sku, gtin))
$$;
--> statement-breakpoint
CREATE FUNCTION search_vector_on_product() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.search_vector := public.search_vector_of(NEW.name, NEW.description, NEW.brand, NEW.sku, NEW.gtin);
  RETURN NEW;
END $$;
--> statement-breakpoint
ALTER TABLE "products" ALTER COLUMN "search_vector" DROP EXPRESSION;
--> statement-breakpoint
DROP FUNCTION search_vector_of(text, text);
--> statement-breakpoint
CREATE TRIGGER search_vector_on_product
BEFORE INSERT OR UPDATE OF name, description, brand, sku, gtin ON products
FOR EACH ROW EXECUTE FUNCTION search_vector_on_product();
--> statement-breakpoint
-- The words of a brand count like those of the name. References stay out of the vocabulary: a typing error is
-- never understood as one.
CREATE OR REPLACE FUNCTION search_words_on_product() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO public.search_words (word, lexeme, in_name)
  SELECT word, lexeme, bool_or(named) AS in_name
  FROM (
    SELECT word, lexeme, true AS named
    FROM public.search_words_of(NEW.name || coalesce(' ' || NEW.brand, ''))
    UNION ALL
    SELECT word, lexeme, false FROM public.search_words_of(left(NEW.description, 20000))
  ) words
  GROUP BY word, lexeme
  ORDER BY word
  ON CONFLICT (word) DO UPDATE SET in_name = true
  WHERE excluded.in_name AND NOT search_words.in_name;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER search_words_on_product
AFTER INSERT OR UPDATE OF name, description, brand ON products
FOR EACH ROW EXECUTE FUNCTION search_words_on_product();
--> statement-breakpoint
UPDATE products SET name = name WHERE brand IS NOT NULL OR sku IS NOT NULL OR gtin IS NOT NULL;
--> statement-breakpoint
-- Drafts: they are in lists of their own, whose kind is that of the public's list and ten. What reads the
-- public's lists knows nothing of them.
CREATE FUNCTION product_listing_kind(list_kind int, status text) RETURNS int
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT list_kind + CASE WHEN status = 'draft' THEN 10 ELSE 0 END
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION product_listings_put(list_kind int, list_id int, product int) RETURNS void
LANGUAGE sql AS $$
  INSERT INTO public.product_listings (kind, facet_id, is_digital, product_id, price_cents, created_at)
  SELECT public.product_listing_kind(list_kind, status), list_id, type = 'digital', id, price_cents, created_at
  FROM public.products WHERE id = product
  ON CONFLICT DO NOTHING
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION product_listings_on_product() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM public.product_listings_put(0, 0, NEW.id);
    PERFORM public.product_listings_put(1, NEW.default_category_id, NEW.id);
    RETURN NULL;
  END IF;
  -- Rows are deleted and inserted, as the counts of the lists expect it.
  IF OLD.status <> NEW.status THEN
    WITH gone AS (
      DELETE FROM public.product_listings WHERE product_id = NEW.id
      RETURNING kind % 10 AS kind, facet_id, is_digital, price_cents, created_at
    )
    INSERT INTO public.product_listings (kind, facet_id, is_digital, product_id, price_cents, created_at)
    SELECT public.product_listing_kind(kind, NEW.status), facet_id, is_digital, NEW.id, price_cents, created_at
    FROM gone;
  END IF;
  IF OLD.default_category_id <> NEW.default_category_id THEN
    DELETE FROM public.product_listings l
    WHERE l.product_id = NEW.id AND l.kind % 10 = 1 AND l.facet_id = OLD.default_category_id
      AND NOT EXISTS (SELECT FROM public.product_categories c
                      WHERE c.product_id = NEW.id AND c.category_id = OLD.default_category_id);
    PERFORM public.product_listings_put(1, NEW.default_category_id, NEW.id);
  END IF;
  IF (OLD.type, OLD.price_cents, OLD.created_at)
     IS DISTINCT FROM (NEW.type, NEW.price_cents, NEW.created_at) THEN
    UPDATE public.product_listings
    SET is_digital = NEW.type = 'digital', price_cents = NEW.price_cents, created_at = NEW.created_at
    WHERE product_id = NEW.id;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER product_listings_on_product
AFTER INSERT OR UPDATE OF type, price_cents, created_at, default_category_id, status ON products
FOR EACH ROW EXECUTE FUNCTION product_listings_on_product();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION product_listings_on_category() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE public.products p
    SET category_ids = ARRAY(SELECT unnest(p.category_ids || c.ids) ORDER BY 1)
    FROM (SELECT product_id, array_agg(category_id) AS ids FROM changed GROUP BY product_id) c
    WHERE p.id = c.product_id;
    INSERT INTO public.product_listings (kind, facet_id, is_digital, product_id, price_cents, created_at)
    SELECT public.product_listing_kind(1, p.status), c.category_id, p.type = 'digital', p.id, p.price_cents,
      p.created_at
    FROM changed c JOIN public.products p ON p.id = c.product_id
    ON CONFLICT DO NOTHING;
  ELSE
    UPDATE public.products p
    SET category_ids = ARRAY(SELECT id FROM unnest(p.category_ids) id WHERE id <> ALL (c.ids) ORDER BY 1)
    FROM (SELECT product_id, array_agg(category_id) AS ids FROM changed GROUP BY product_id) c
    WHERE p.id = c.product_id;
    DELETE FROM public.product_listings l USING changed c
    WHERE l.product_id = c.product_id AND l.kind % 10 = 1 AND l.facet_id = c.category_id
      AND NOT EXISTS (SELECT FROM public.products p
                      WHERE p.id = c.product_id AND p.default_category_id = c.category_id);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION product_listings_on_tag() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE public.products p
    SET tag_ids = ARRAY(SELECT unnest(p.tag_ids || c.ids) ORDER BY 1)
    FROM (SELECT product_id, array_agg(tag_id) AS ids FROM changed GROUP BY product_id) c
    WHERE p.id = c.product_id;
    INSERT INTO public.product_listings (kind, facet_id, is_digital, product_id, price_cents, created_at)
    SELECT public.product_listing_kind(2, p.status), c.tag_id, p.type = 'digital', p.id, p.price_cents,
      p.created_at
    FROM changed c JOIN public.products p ON p.id = c.product_id
    ON CONFLICT DO NOTHING;
  ELSE
    UPDATE public.products p
    SET tag_ids = ARRAY(SELECT id FROM unnest(p.tag_ids) id WHERE id <> ALL (c.ids) ORDER BY 1)
    FROM (SELECT product_id, array_agg(tag_id) AS ids FROM changed GROUP BY product_id) c
    WHERE p.id = c.product_id;
    DELETE FROM public.product_listings l USING changed c
    WHERE l.product_id = c.product_id AND l.kind % 10 = 2 AND l.facet_id = c.tag_id;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- The drafts of existing shops, if any: until now they were in the public's lists.
WITH gone AS (
  DELETE FROM product_listings l USING products p
  WHERE p.id = l.product_id AND p.status = 'draft'
  RETURNING l.kind, l.facet_id, l.is_digital, l.product_id, l.price_cents, l.created_at
)
INSERT INTO product_listings (kind, facet_id, is_digital, product_id, price_cents, created_at)
SELECT kind + 10, facet_id, is_digital, product_id, price_cents, created_at FROM gone;
