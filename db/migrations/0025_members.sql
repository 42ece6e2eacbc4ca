-- What becomes of what a customer holds: its billing periods begin, it is cancelled, or another one takes its place.

ALTER TABLE customer_membership
  -- first day of the billing period that begins next and was not told of yet; null: it has no billing periods
  ADD COLUMN renews_on date,
  -- what the billing period that runs was agreed for, where another price was agreed since; null: the price
  ADD COLUMN period_price_minor bigint CHECK (period_price_minor >= 0),
  -- the last day that it had before it was cancelled; null: none, or nobody has
  ADD COLUMN end_before_cancellation date,
  ADD CHECK (end_before_cancellation IS NULL OR cancellation_reason IS NOT NULL),
  ADD CHECK (membership_type = 'recurring_plan' OR (renews_on IS NULL AND period_price_minor IS NULL));

-- Whoever was there before begins with the next period: the past of a business is not told.
UPDATE customer_membership cm SET renews_on = (
  SELECT min(p.day) FROM generate_series(0, 2000) AS n
    CROSS JOIN LATERAL (SELECT (date_trunc('month', cm.billing_anchor) + make_interval(months => n * cm.billing_length))::date AS first) m
    CROSS JOIN LATERAL (SELECT CASE cm.billing_unit
      WHEN 'weeks' THEN cm.billing_anchor + 7 * n * cm.billing_length
      ELSE m.first - 1 + least(coalesce(cm.billing_day, extract(day FROM cm.billing_anchor)::int), extract(day FROM m.first + interval '1 month' - interval '1 day')::int) END AS day) p
  WHERE p.day > greatest(current_date, cm.start_date))
WHERE cm.membership_type = 'recurring_plan' AND cm.status IN ('active', 'hold');

CREATE INDEX customer_membership_renewal ON customer_membership (provider_id, renews_on, id)
  WHERE status IN ('active', 'hold') AND (expiration_date IS NULL OR renews_on <= expiration_date);

-- Another price counts from the next billing period on; the one that runs was agreed for the old one, whoever writes.
CREATE FUNCTION period_keeps_price() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.period_price_minor := coalesce(OLD.period_price_minor, OLD.billed_price_minor);
  RETURN NEW;
END $$;
CREATE TRIGGER customer_membership_period_price BEFORE UPDATE OF billed_price_minor ON customer_membership FOR EACH ROW
  WHEN (NEW.membership_type = 'recurring_plan' AND NEW.billed_price_minor <> OLD.billed_price_minor AND NEW.period_price_minor IS NOT DISTINCT FROM OLD.period_price_minor)
  EXECUTE FUNCTION period_keeps_price();
