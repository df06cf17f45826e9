CREATE INDEX "addresses_street_idx" ON "addresses" USING btree ("street","id");--> statement-breakpoint
CREATE INDEX "users_date_idx" ON "users" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "orders_date_total_idx" ON "orders" USING btree ("ordered_at","total_cents");