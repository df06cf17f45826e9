-- Totals of long lists are PostgreSQL's estimates (lib/catalogue/queries.ts). It takes columns for
-- independent of each other unless it is told: kind and list are not, and without this the list of
-- a million products would be estimated at two hundred thousand.
CREATE STATISTICS product_listings_lists (mcv) ON kind, facet_id, is_digital FROM product_listings;
--> statement-breakpoint
ALTER STATISTICS product_listings_lists SET STATISTICS 300;
--> statement-breakpoint
ANALYZE product_listings;
