-- A search with very many matches reads the best sold of them alone (docs/decisions/050): four tiers for
-- each doubling of the sales, from 0 to 124, higher for more sales.
CREATE OR REPLACE FUNCTION sales_tier(sales int) RETURNS int LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT floor(4 * log(2, sales::numeric + 1))::int
$$;
--> statement-breakpoint
-- On a large table it can be made before by hand, with the function above and CONCURRENTLY, and is then
-- left as it is (docs/deployment.md). The running version uses either index.
CREATE INDEX IF NOT EXISTS "products_search_sales_idx" ON "products" USING gin ("search_vector",("category_ids" || "default_category_id"),"tag_ids",(array[sales_tier("sales_count")]));
--> statement-breakpoint
-- Words that are not among the most frequent are all taken for equally frequent: by default a part of
-- many rare words seemed to have six times as many matches as it had.
ALTER TABLE "products" ALTER COLUMN "search_vector" SET STATISTICS 500;
--> statement-breakpoint
ANALYZE products;
--> statement-breakpoint
-- Last, since readers wait for it.
DROP INDEX "products_search_idx";
