-- Texts of one line no longer take controls of the direction of writing (U+202A to U+202E, U+2066 to U+2069).
-- Forms send the texts of a row again whatever is changed of it, so stored texts lose what would be refused.
-- Invoices and other documents stay as they were issued. First, since what follows locks a table until the end.
DO $$
DECLARE
  controls text := U&'\202A\202B\202C\202D\202E\2066\2067\2068\2069';
  line record;
BEGIN
  FOR line IN
    SELECT * FROM (VALUES
      ('users', 'first_name', 'text'),
      ('users', 'last_name', 'text'),
      ('addresses', 'street', 'text'),
      ('addresses', 'city', 'text'),
      ('products', 'name', 'text'),
      ('products', 'file_type', 'text'),
      ('products', 'characteristics', 'jsonb'),
      ('categories', 'name', 'text'),
      ('tags', 'name', 'text'),
      ('shipping_methods', 'name', 'text'),
      ('shipping_methods', 'delay', 'text'),
      ('shipments', 'carrier', 'text'),
      ('orders', 'shipping_street', 'text'),
      ('orders', 'shipping_city', 'text'),
      ('orders', 'billing_street', 'text'),
      ('orders', 'billing_city', 'text'),
      ('shop_settings', 'legal_name', 'text'),
      ('shop_settings', 'address', 'jsonb'),
      ('shop_settings', 'phone', 'text'),
      ('shop_settings', 'publisher', 'text'),
      ('shop_settings', 'host', 'text')
    ) AS lines ("table", "column", "type")
  LOOP
    EXECUTE format(
      'UPDATE public.%1$I SET %2$I = translate(%2$I::text, $1, '''')::%3$s
        WHERE %2$I::text <> translate(%2$I::text, $1, '''')',
      line."table", line."column", line."type"
    ) USING controls;
  END LOOP;
END $$;
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "pending_email" text;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_pending_email_has_link" CHECK ("users"."pending_email" is null or "users"."confirmation_token_hash" is not null);
