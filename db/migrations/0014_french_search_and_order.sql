-- A word as French search keeps it; null for one that it passes over. What is looked for has to be cut
-- down as the texts are, whose parser leaves words with a digit ("1ère", "24heures") whole.
CREATE FUNCTION search_lexeme(word text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT (tsvector_to_array(to_tsvector('pg_catalog.french', word)))[1]
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION search_words_of(input text) RETURNS TABLE (word text, lexeme text)
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT w, lexeme
  FROM (SELECT DISTINCT unnest(string_to_array(public.search_normalise(input), ' ')) AS w) words,
    LATERAL (SELECT public.search_lexeme(w) AS lexeme OFFSET 0) lexemes
  WHERE char_length(w) BETWEEN 1 AND 64 AND lexeme IS NOT NULL
  ORDER BY w
$$;
--> statement-breakpoint
UPDATE search_words SET lexeme = search_lexeme(word)
WHERE word ~ '[0-9]' AND lexeme <> search_lexeme(word);
--> statement-breakpoint
-- Sorted as France does. Built beside the former ones, which are dropped at the end: only then does
-- anybody who reads wait.
CREATE INDEX "addresses_street_idx_french" ON "addresses" USING btree ("street" collate "fr-x-icu","id");--> statement-breakpoint
CREATE INDEX "addresses_city_idx_french" ON "addresses" USING btree ("city" collate "fr-x-icu","id");--> statement-breakpoint
CREATE INDEX "users_last_name_idx_french" ON "users" USING btree ("last_name" collate "fr-x-icu","id");--> statement-breakpoint
CREATE INDEX "users_first_name_idx_french" ON "users" USING btree ("first_name" collate "fr-x-icu","id");--> statement-breakpoint
CREATE INDEX "products_name_idx_french" ON "products" USING btree ("name" collate "fr-x-icu","id");--> statement-breakpoint
DROP INDEX "addresses_street_idx";--> statement-breakpoint
DROP INDEX "addresses_city_idx";--> statement-breakpoint
DROP INDEX "users_last_name_idx";--> statement-breakpoint
DROP INDEX "users_first_name_idx";--> statement-breakpoint
DROP INDEX "products_name_idx";--> statement-breakpoint
ALTER INDEX "addresses_street_idx_french" RENAME TO "addresses_street_idx";--> statement-breakpoint
ALTER INDEX "addresses_city_idx_french" RENAME TO "addresses_city_idx";--> statement-breakpoint
ALTER INDEX "users_last_name_idx_french" RENAME TO "users_last_name_idx";--> statement-breakpoint
ALTER INDEX "users_first_name_idx_french" RENAME TO "users_first_name_idx";--> statement-breakpoint
ALTER INDEX "products_name_idx_french" RENAME TO "products_name_idx";
