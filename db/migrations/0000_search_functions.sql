CREATE EXTENSION IF NOT EXISTS unaccent;
--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
-- Text as search sees it: no accents, no capitals, words parted by single spaces. Declared
-- immutable, which unaccent() is not by itself since its rules could be edited: they ship with
-- PostgreSQL and are left alone. Every name is qualified, for pg_restore runs without search_path.
CREATE FUNCTION search_normalise(input text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT btrim(regexp_replace(
    lower(public.unaccent('public.unaccent'::regdictionary, input)), '[^[:alnum:]]+', ' ', 'g'))
$$;
--> statement-breakpoint
-- A product as search sees it: the name's stems weigh A, the description's C.
CREATE FUNCTION search_vector_of(name text, description text) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT setweight(to_tsvector('pg_catalog.french', public.search_normalise(coalesce(name, ''))), 'A')
      || setweight(to_tsvector('pg_catalog.french', public.search_normalise(left(coalesce(description, ''), 20000))), 'C')
$$;
