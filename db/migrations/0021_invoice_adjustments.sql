-- Until now the computed line of an invoice was known by its name, which a product may have, too. It was only
-- ever written to invoices that an administrator has made or changed, and as the last line.
UPDATE "invoices" i
SET "snapshot" = jsonb_set(i."snapshot", '{lines,-1,kind}', '"adjustment"')
WHERE (i."source" = 'manual' OR i."version" > 1)
  AND i."snapshot" #>> '{lines,-1,quantity}' = '1'
  AND (
    i."snapshot" #>> '{lines,-1,name}' = 'Ajustement'
    OR (i."snapshot" #>> '{lines,-1,name}' = 'Montant facturé' AND jsonb_array_length(i."snapshot" -> 'lines') = 1)
  )
  AND NOT EXISTS (
    SELECT FROM "order_lines" l
    WHERE l."order_id" = i."order_id"
      AND l."name" = i."snapshot" #>> '{lines,-1,name}'
      AND l."quantity" = 1
      AND l."unit_price_cents" = (i."snapshot" #>> '{lines,-1,unitPriceCents}')::integer
  );
