-- Orders are found by what was bought and where it went, too. Both columns write the table anew, which an UPDATE
-- would take longer for, and leave as many dead rows: some minutes with a million orders, in which nobody can
-- order (docs/deployment.md). Meanwhile the function is immutable indeed.
DROP INDEX "orders_text_idx";--> statement-breakpoint
CREATE FUNCTION order_product_names(ordered int) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(string_agg(name, ' ' ORDER BY id), '') FROM public.order_lines WHERE order_id = ordered
$$;
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "product_names" text NOT NULL GENERATED ALWAYS AS (order_product_names(id)) STORED;
--> statement-breakpoint
ALTER TABLE "orders" ALTER COLUMN "product_names" DROP EXPRESSION, ALTER COLUMN "product_names" SET DEFAULT '';
--> statement-breakpoint
ALTER FUNCTION order_product_names(int) STABLE;
--> statement-breakpoint
CREATE FUNCTION order_product_names_on_lines() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE public.orders SET product_names = public.order_product_names(id)
  WHERE id IN (SELECT order_id FROM changed)
    AND product_names <> public.order_product_names(id);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER order_product_names_on_new_lines
AFTER INSERT ON order_lines REFERENCING NEW TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION order_product_names_on_lines();
--> statement-breakpoint
CREATE TRIGGER order_product_names_on_deleted_lines
AFTER DELETE ON order_lines REFERENCING OLD TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION order_product_names_on_lines();
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "search_text" text GENERATED ALWAYS AS ((' ' || search_normalise("number" || ' ' || "buyer_first_name" || ' ' || "buyer_last_name" || ' ' || "buyer_email" || ' ' || "shipping_street" || ' ' || "shipping_postal_code" || ' ' || "shipping_city" || ' ' || "billing_street" || ' ' || "billing_postal_code" || ' ' || "billing_city" || ' ' || "product_names"))) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "orders_text_idx" ON "orders" USING gin ("search_text" gin_trgm_ops);--> statement-breakpoint
-- A search asks the planner how common a word is (lib/backoffice/search.ts): to one in two hundred.
ALTER TABLE "orders" ALTER COLUMN "search_text" SET STATISTICS 200;
--> statement-breakpoint
ANALYZE orders;
--> statement-breakpoint
CREATE INDEX "invoices_payment_idx" ON "invoices" USING btree ("payment_id");--> statement-breakpoint
-- The payments made so far do not get their order number afterwards.
ALTER TABLE "checkouts" ADD COLUMN "is_order_number_written" boolean DEFAULT true NOT NULL;--> statement-breakpoint
CREATE INDEX "checkouts_order_number_due_idx" ON "checkouts" USING btree ("next_check_at") WHERE not "checkouts"."is_order_number_written";
-- Words joined at hyphens, and at digits and letters, are found however they are written: docs/decisions/006.
-- A text in lower case without accents, whose words are parted by spaces and hyphens; "1,5" is "1v5".
CREATE FUNCTION search_canonical(input text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT btrim(regexp_replace(regexp_replace(
    lower(public.unaccent('public.unaccent'::regdictionary, input)),
    '(?<=\d)[.,](?=\d)', 'v', 'g'),
    '(?:[^[:alnum:]-]|(?<![[:alnum:]])-|-(?![[:alnum:]]))+', ' ', 'g'))
$$;
--> statement-breakpoint
-- Its words, parted where letters and digits meet, too: "500 ml" of "500ml".
CREATE FUNCTION search_apart(canonical text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT regexp_replace(replace(canonical, '-', ' '),
    '(?<=\d)(?!v\d)(?=[[:alpha:]])|(?<=[[:alpha:]])(?<!\dv)(?=\d)', ' ', 'g')
$$;
--> statement-breakpoint
-- What is indexed of a text: its words apart, then those of them that were written as one: "porte monnaie 500 ml
-- portemonnaie 500ml".
CREATE FUNCTION search_terms(input text) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  canonical text := public.search_canonical(input);
  apart text;
BEGIN
  IF canonical !~ '-|\d[[:alpha:]]|[[:alpha:]]\d|shirt' THEN
    RETURN canonical;
  END IF;
  apart := public.search_apart(canonical);
  RETURN apart || coalesce((
    SELECT ' ' || string_agg(word, ' ' ORDER BY word COLLATE "C") FROM (
      (SELECT unnest(string_to_array(replace(canonical, '-', ' '), ' '))
      UNION
      SELECT replace(token, '-', '') FROM unnest(string_to_array(canonical, ' ')) token
      WHERE token LIKE '%-%'
      UNION
      SELECT 'tshirt' WHERE canonical ~ '\mt(ee)?[ -]?shirt')
      EXCEPT
      SELECT unnest(string_to_array(apart, ' '))
    ) joined (word)), '');
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION search_vector_of(name text, description text) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT setweight(to_tsvector('pg_catalog.french', public.search_terms(coalesce(name, ''))), 'A')
      || setweight(to_tsvector('pg_catalog.french', public.search_terms(left(coalesce(description, ''), 20000))), 'C')
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION search_words_of(input text) RETURNS TABLE (word text, lexeme text)
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT w, lexeme
  FROM (SELECT DISTINCT unnest(string_to_array(public.search_terms(input), ' ')) AS w) words,
    LATERAL (SELECT public.search_lexeme(w) AS lexeme OFFSET 0) lexemes
  WHERE char_length(w) BETWEEN 1 AND 64 AND lexeme IS NOT NULL
  ORDER BY w
$$;
--> statement-breakpoint
-- The products that this changes, and the vocabulary by its trigger.
UPDATE products SET name = name WHERE search_vector <> search_vector_of(name, description);
