ALTER TABLE "checkouts" ADD COLUMN "is_vat_exempt" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "is_vat_exempt" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "shop_settings" ADD COLUMN "is_vat_exempt" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "shipping_methods" ADD COLUMN "zones" text[] DEFAULT '{"mainland"}' NOT NULL;--> statement-breakpoint
ALTER TABLE "shipping_methods" ADD COLUMN "postal_codes" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "products_without_weight_idx" ON "products" USING btree ("id") WHERE "products"."weight" is null and "products"."type" = 'physical';--> statement-breakpoint
ALTER TABLE "shipping_methods" ADD CONSTRAINT "shipping_methods_goes_somewhere" CHECK (cardinality("shipping_methods"."zones") + cardinality("shipping_methods"."postal_codes") > 0);