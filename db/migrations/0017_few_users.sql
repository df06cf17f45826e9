-- Users who are found by a state that few have. Both keep writers waiting while they are made: on a large
-- table they can be made before by hand, with CONCURRENTLY, and are then left as they are
-- (docs/deployment.md).
CREATE INDEX IF NOT EXISTS "users_unverified_idx" ON "users" USING btree ("id") WHERE not "users"."is_verified";--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "users_deleted_idx" ON "users" USING btree ("id") WHERE "users"."is_deleted";
