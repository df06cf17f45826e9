ALTER TABLE "categories" ADD COLUMN "filters" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "products_characteristics_idx" ON "products" USING gin ("characteristics" jsonb_path_ops);--> statement-breakpoint
-- The counts beside the catalogue's filters are read from this index alone (lib/catalogue/facets.ts, docs/decisions/100).
CREATE INDEX IF NOT EXISTS "products_facets_idx" ON "products" USING btree ("price_cents", "type", "average_rating", "stock")
INCLUDE ("category_ids", "default_category_id", "tag_ids") WHERE "status" = 'active';
