CREATE TABLE "payment_closures" (
	"payment_intent_id" text PRIMARY KEY NOT NULL,
	"reason" text NOT NULL,
	"recipient" text,
	"user_id" integer,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone DEFAULT now() NOT NULL,
	"outcome" text,
	"refunded_cents" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"settled_at" timestamp with time zone,
	CONSTRAINT "payment_closures_reason_known" CHECK ("payment_closures"."reason" in ('account-erased', 'amount', 'cancelled', 'unknown')),
	CONSTRAINT "payment_closures_outcome_known" CHECK (("payment_closures"."settled_at" is null) = ("payment_closures"."outcome" is null) and "payment_closures"."outcome" in ('cancelled', 'refunded'))
);
--> statement-breakpoint
ALTER TABLE "cart_items" ADD COLUMN "shown_price_cents" integer;--> statement-breakpoint
ALTER TABLE "payment_closures" ADD CONSTRAINT "payment_closures_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payment_closures_due_idx" ON "payment_closures" USING btree ("next_attempt_at") WHERE "payment_closures"."settled_at" is null;--> statement-breakpoint
CREATE INDEX "payment_closures_user_idx" ON "payment_closures" USING btree ("user_id");