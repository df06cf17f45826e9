-- Of whom the two states of an audit entry speak, so that the erasure of an account finds the entries by
-- an index: users, as an id or an IRI under `user` or `userId`, and all texts that hold an e-mail address,
-- which stand between quotes in JSON.
CREATE FUNCTION audit_users(before jsonb, after jsonb) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ARRAY[
    before->>'userId', coalesce(before->'user'->>'id', before->>'user'),
    after->>'userId', coalesce(after->'user'->>'id', after->>'user')]
$$;
--> statement-breakpoint
CREATE FUNCTION audit_addresses(before jsonb, after jsonb) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT string_agg(DISTINCT part, ' ')
  FROM string_to_table(lower(coalesce(before::text, '') || coalesce(after::text, '')), '"') part
  WHERE strpos(part, '@') > 0
$$;
--> statement-breakpoint
CREATE INDEX "audit_entries_actor_idx" ON "audit_entries" USING btree ("actor_id");--> statement-breakpoint
CREATE INDEX "audit_entries_person_idx" ON "audit_entries" USING gin (audit_users("before", "after"),audit_addresses("before", "after") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "checkouts_user_idx" ON "checkouts" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "checkouts_buyer_email_idx" ON "checkouts" USING btree (lower("buyer_email"));--> statement-breakpoint
CREATE INDEX "contact_messages_email_idx" ON "contact_messages" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "invoice_versions_replaced_by_idx" ON "invoice_versions" USING btree ("replaced_by");--> statement-breakpoint
CREATE INDEX "mail_outbox_recipient_idx" ON "mail_outbox" USING btree (lower("recipient"));--> statement-breakpoint
CREATE INDEX "mail_outbox_reply_to_idx" ON "mail_outbox" USING btree (lower("reply_to"));