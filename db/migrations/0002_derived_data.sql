-- What is derived from the tables and kept by the database itself, in the transaction that changes
-- its source, so that no writer can forget it: the catalogue's index, the search vocabulary and the
-- products' rating counts.

CREATE FUNCTION product_listings_put(list_kind int, list_id int, product int) RETURNS void
LANGUAGE sql AS $$
  INSERT INTO public.product_listings (kind, facet_id, is_digital, product_id, price_cents, created_at)
  SELECT list_kind, list_id, type = 'digital', id, price_cents, created_at
  FROM public.products WHERE id = product
  ON CONFLICT DO NOTHING
$$;
--> statement-breakpoint
CREATE FUNCTION product_listings_on_product() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM public.product_listings_put(0, 0, NEW.id);
    PERFORM public.product_listings_put(1, NEW.default_category_id, NEW.id);
    RETURN NULL;
  END IF;
  IF OLD.default_category_id <> NEW.default_category_id THEN
    DELETE FROM public.product_listings l
    WHERE l.product_id = NEW.id AND l.kind = 1 AND l.facet_id = OLD.default_category_id
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
CREATE TRIGGER product_listings_on_product
AFTER INSERT OR UPDATE OF type, price_cents, created_at, default_category_id ON products
FOR EACH ROW EXECUTE FUNCTION product_listings_on_product();
--> statement-breakpoint
CREATE FUNCTION product_listings_on_category() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM public.product_listings_put(1, NEW.category_id, NEW.product_id);
  ELSE
    DELETE FROM public.product_listings l
    WHERE l.product_id = OLD.product_id AND l.kind = 1 AND l.facet_id = OLD.category_id
      AND NOT EXISTS (SELECT FROM public.products p
                      WHERE p.id = OLD.product_id AND p.default_category_id = OLD.category_id);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER product_listings_on_category
AFTER INSERT OR DELETE ON product_categories
FOR EACH ROW EXECUTE FUNCTION product_listings_on_category();
--> statement-breakpoint
CREATE FUNCTION product_listings_on_tag() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM public.product_listings_put(2, NEW.tag_id, NEW.product_id);
  ELSE
    DELETE FROM public.product_listings l
    WHERE l.product_id = OLD.product_id AND l.kind = 2 AND l.facet_id = OLD.tag_id;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER product_listings_on_tag
AFTER INSERT OR DELETE ON product_tags
FOR EACH ROW EXECUTE FUNCTION product_listings_on_tag();
--> statement-breakpoint
-- The words of a text that French search does not pass over, each with its stem. Words are put in
-- alphabetical order, so that two transactions that add the same ones can not wait for each other.
CREATE FUNCTION search_words_of(input text) RETURNS TABLE (word text, lexeme text)
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT w, (ts_lexize('pg_catalog.french_stem', w))[1]
  FROM (SELECT DISTINCT unnest(string_to_array(public.search_normalise(input), ' ')) AS w) words
  WHERE char_length(w) BETWEEN 1 AND 64 AND ts_lexize('pg_catalog.french_stem', w) <> '{}'
  ORDER BY w
$$;
--> statement-breakpoint
CREATE FUNCTION search_words_on_product() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO public.search_words (word, lexeme, in_name)
  SELECT word, lexeme, bool_or(named) AS in_name
  FROM (
    SELECT word, lexeme, true AS named FROM public.search_words_of(NEW.name)
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
CREATE TRIGGER search_words_on_product
AFTER INSERT OR UPDATE OF name, description ON products
FOR EACH ROW EXECUTE FUNCTION search_words_on_product();
--> statement-breakpoint
-- Words that share some trigrams with a word: the candidates for a typing error in it. The threshold
-- is low, since two swapped letters in a short word leave little in common.
CREATE FUNCTION search_words_near(input text) RETURNS TABLE (word text, lexeme text)
LANGUAGE sql STABLE SET pg_trgm.similarity_threshold = 0.15 AS $$
  SELECT s.word, s.lexeme FROM public.search_words s
  WHERE s.word OPERATOR(public.%) input
    AND char_length(s.word) BETWEEN char_length(input) - 2 AND char_length(input) + 2
  ORDER BY public.similarity(s.word, input) DESC, s.word
  LIMIT 200
$$;
--> statement-breakpoint
CREATE FUNCTION product_ratings_on_review() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.status = 'VALIDATED' THEN
    UPDATE public.products SET rating_count = rating_count - 1, rating_sum = rating_sum - OLD.rating
    WHERE id = OLD.product_id;
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.status = 'VALIDATED' THEN
    UPDATE public.products SET rating_count = rating_count + 1, rating_sum = rating_sum + NEW.rating
    WHERE id = NEW.product_id;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER product_ratings_on_review
AFTER INSERT OR DELETE OR UPDATE OF status, rating, product_id ON reviews
FOR EACH ROW EXECUTE FUNCTION product_ratings_on_review();
