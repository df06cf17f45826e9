CREATE TABLE "uploaded_pictures" (
	"name" text PRIMARY KEY NOT NULL,
	"uploaded_at" timestamp with time zone DEFAULT now() NOT NULL,
	"unused_since" timestamp with time zone,
	"next_look_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "uploaded_pictures_due_idx" ON "uploaded_pictures" USING btree ("next_look_at");--> statement-breakpoint
CREATE INDEX "cart_items_picture_idx" ON "cart_items" USING btree ((substring("seen_image" from '(?:^|/)([0-9a-f]{40}[.](?:jpg|png|gif|webp))'))) WHERE substring("seen_image" from '(?:^|/)([0-9a-f]{40}[.](?:jpg|png|gif|webp))') is not null;--> statement-breakpoint
CREATE INDEX "products_picture_idx" ON "products" USING btree ((substring("image" from '(?:^|/)([0-9a-f]{40}[.](?:jpg|png|gif|webp))'))) WHERE substring("image" from '(?:^|/)([0-9a-f]{40}[.](?:jpg|png|gif|webp))') is not null;--> statement-breakpoint
CREATE INDEX "order_lines_picture_idx" ON "order_lines" USING btree ((substring("image" from '(?:^|/)([0-9a-f]{40}[.](?:jpg|png|gif|webp))'))) WHERE substring("image" from '(?:^|/)([0-9a-f]{40}[.](?:jpg|png|gif|webp))') is not null;--> statement-breakpoint
-- Uploads from before this table that something shows; others cannot be told from pictures that
-- somebody has put there by hand, and stay.
INSERT INTO "uploaded_pictures" ("name", "next_look_at")
SELECT name, now() + interval '1 day' FROM (
  SELECT substring("image" from '(?:^|/)([0-9a-f]{40}[.](?:jpg|png|gif|webp))') AS name FROM "products"
  UNION SELECT substring("image" from '(?:^|/)([0-9a-f]{40}[.](?:jpg|png|gif|webp))') FROM "order_lines"
  UNION SELECT substring("seen_image" from '(?:^|/)([0-9a-f]{40}[.](?:jpg|png|gif|webp))') FROM "cart_items"
) pictures WHERE name IS NOT NULL;
