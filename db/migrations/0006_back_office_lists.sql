CREATE INDEX "addresses_city_idx" ON "addresses" USING btree ("city","id");--> statement-breakpoint
CREATE INDEX "addresses_postal_code_idx" ON "addresses" USING btree ("postal_code","id");--> statement-breakpoint
CREATE INDEX "addresses_text_idx" ON "addresses" USING gin ((' ' || search_normalise("street" || ' ' || "postal_code" || ' ' || "city")) gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "users_last_name_idx" ON "users" USING btree ("last_name","id");--> statement-breakpoint
CREATE INDEX "users_first_name_idx" ON "users" USING btree ("first_name","id");--> statement-breakpoint
CREATE INDEX "users_text_idx" ON "users" USING gin ((' ' || search_normalise("first_name" || ' ' || "last_name" || ' ' || "email")) gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "carts_updated_idx" ON "carts" USING btree ("updated_at","id");--> statement-breakpoint
CREATE INDEX "products_name_idx" ON "products" USING btree ("name","id");--> statement-breakpoint
CREATE INDEX "products_price_idx" ON "products" USING btree ("price_cents","id");--> statement-breakpoint
CREATE INDEX "products_date_idx" ON "products" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "products_without_image_idx" ON "products" USING btree ("id") WHERE coalesce("products"."image", '') = '';--> statement-breakpoint
CREATE INDEX "invoices_total_idx" ON "invoices" USING btree ("total_cents","id");--> statement-breakpoint
CREATE INDEX "invoices_text_idx" ON "invoices" USING gin ((' ' || search_normalise("number" || ' ' || coalesce("payment_id", '') || ' ' || coalesce("snapshot"->'buyer'->>'firstName', '') || ' ' || coalesce("snapshot"->'buyer'->>'lastName', '') || ' ' || coalesce("snapshot"->'buyer'->>'email', ''))) gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "orders_total_idx" ON "orders" USING btree ("total_cents","id");--> statement-breakpoint
CREATE INDEX "orders_text_idx" ON "orders" USING gin ((' ' || search_normalise("number" || ' ' || "buyer_first_name" || ' ' || "buyer_last_name" || ' ' || "buyer_email")) gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "reviews_date_idx" ON "reviews" USING btree ("published_at","id");--> statement-breakpoint
CREATE INDEX "reviews_rating_idx" ON "reviews" USING btree ("rating","id");--> statement-breakpoint
CREATE INDEX "reviews_text_idx" ON "reviews" USING gin ((' ' || search_normalise(left("content", 2000))) gin_trgm_ops);