-- The ledger stands in the way of every booking: what it checks is asked row by row, along its indexes, whatever the planner
-- believed of a table that was empty when it looked.
DROP TRIGGER entitlement_uses ON entitlement_entry;
DROP FUNCTION entitlement_uses();

CREATE FUNCTION entitlement_given_back() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  UPDATE entitlement_entry SET open = false WHERE provider_id = NEW.provider_id AND id = NEW.reverses_id;
  RETURN NULL;
END $$;
CREATE TRIGGER entitlement_given_back AFTER INSERT ON entitlement_entry FOR EACH ROW
  WHEN (NEW.reverses_id IS NOT NULL) EXECUTE FUNCTION entitlement_given_back();

-- Never more uses in total than were granted, whoever writes. Whoever takes one holds the row of the membership, so that the sum
-- is one that nobody changes meanwhile; the second statement sees what was committed before it.
CREATE FUNCTION entitlement_used() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  product bigint;
BEGIN
  SELECT membership_id INTO product FROM customer_membership
    WHERE provider_id = NEW.provider_id AND id = NEW.customer_membership_id FOR NO KEY UPDATE;
  IF EXISTS (
    SELECT FROM membership_limit l
    WHERE l.provider_id = NEW.provider_id AND l.membership_id = product AND l.period = 'total' AND (
      l.max_uses < (
        SELECT -coalesce(sum(e.amount), 0) FROM entitlement_entry e
        WHERE e.provider_id = NEW.provider_id AND e.customer_membership_id = NEW.customer_membership_id
          AND NOT EXISTS (SELECT FROM membership_limit_offering_type x WHERE x.provider_id = l.provider_id AND x.membership_limit_id = l.id
                AND x.offering_type_id = e.offering_type_id AND x.is_extra))
      OR EXISTS (
        SELECT FROM membership_limit_offering_type x
        WHERE x.provider_id = l.provider_id AND x.membership_limit_id = l.id AND x.max_uses < (
          SELECT -coalesce(sum(e.amount), 0) FROM entitlement_entry e
          WHERE e.provider_id = NEW.provider_id AND e.customer_membership_id = NEW.customer_membership_id AND e.offering_type_id = x.offering_type_id)))
  ) THEN
    RAISE EXCEPTION 'more uses than the membership has' USING ERRCODE = 'check_violation', CONSTRAINT = 'customer_membership_uses';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER entitlement_used AFTER INSERT ON entitlement_entry FOR EACH ROW
  WHEN (NEW.amount < 0) EXECUTE FUNCTION entitlement_used();

-- The membership is one of the business, and so is what refers to it.
ALTER TABLE entitlement_entry DROP CONSTRAINT entitlement_entry_provider_id_fkey;

-- What a membership is for and how often, beside it: every booking asks, and hardly anybody ever changes it. The definitions are
-- `membership_coverage` and the limits themselves; whoever changes the grants or the limits of a membership changes these.
ALTER TABLE membership
  -- null: all that there are, but `except_offering_types`
  ADD COLUMN offering_types bigint[],
  ADD COLUMN except_offering_types bigint[] NOT NULL DEFAULT '{}',
  ADD COLUMN limits jsonb NOT NULL DEFAULT '[]';

-- Locked first, so that the second statement sees what whoever was faster has changed.
CREATE FUNCTION keep_coverage(business bigint, membership bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM membership m WHERE m.provider_id = business AND m.id = keep_coverage.membership FOR NO KEY UPDATE;
  UPDATE membership m SET offering_types = x.offering_types, except_offering_types = x.except_offering_types, limits = x.limits
  FROM (
    WITH l AS (
      SELECT id, period, max_uses, roll_over FROM membership_limit WHERE provider_id = business AND membership_id = keep_coverage.membership
    ), own AS (
      SELECT x.* FROM l JOIN membership_limit_offering_type x ON x.provider_id = business AND x.membership_limit_id = l.id
    ), granted AS (
      SELECT offering_type_id FROM membership_registration_grant WHERE provider_id = business AND membership_id = keep_coverage.membership
    ), named AS (
      -- Where a period leaves no use at all, only what it names has any.
      SELECT offering_type_id FROM granted
      UNION SELECT offering_type_id FROM own WHERE NOT EXISTS (SELECT FROM granted)
    )
    SELECT CASE WHEN EXISTS (SELECT FROM granted) OR EXISTS (SELECT FROM l WHERE max_uses = 0) THEN ARRAY(
        SELECT n.offering_type_id FROM named n WHERE NOT EXISTS (
          SELECT FROM l LEFT JOIN own ON own.membership_limit_id = l.id AND own.offering_type_id = n.offering_type_id WHERE coalesce(own.max_uses, l.max_uses) = 0)
        ORDER BY 1) END AS offering_types,
      ARRAY(SELECT DISTINCT offering_type_id FROM own WHERE max_uses = 0 ORDER BY 1) AS except_offering_types,
      coalesce((
        SELECT jsonb_agg(jsonb_build_object('period', l.period, 'maxUses', l.max_uses, 'rollOver', l.roll_over, 'offeringTypes', coalesce((
            SELECT jsonb_agg(jsonb_build_object('offeringType', own.offering_type_id, 'maxUses', own.max_uses, 'isExtra', own.is_extra) ORDER BY own.offering_type_id)
            FROM own WHERE own.membership_limit_id = l.id), '[]'::jsonb))
          ORDER BY array_position(ARRAY['day', 'week', 'month', 'billing_period', 'total'], l.period))
        FROM l), '[]'::jsonb) AS limits) x
  WHERE m.provider_id = business AND m.id = keep_coverage.membership
    AND (m.offering_types, m.except_offering_types, m.limits) IS DISTINCT FROM (x.offering_types, x.except_offering_types, x.limits);
END $$;

CREATE FUNCTION coverage_changes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  r record := coalesce(NEW, OLD);
BEGIN
  IF TG_TABLE_NAME = 'membership_limit_offering_type' THEN
    PERFORM keep_coverage(l.provider_id, l.membership_id) FROM membership_limit l WHERE l.provider_id = r.provider_id AND l.id = r.membership_limit_id;
  ELSE
    PERFORM keep_coverage(r.provider_id, r.membership_id);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER coverage_by_limit AFTER INSERT OR UPDATE OR DELETE ON membership_limit FOR EACH ROW EXECUTE FUNCTION coverage_changes();
CREATE TRIGGER coverage_by_limit_of_type AFTER INSERT OR UPDATE OR DELETE ON membership_limit_offering_type FOR EACH ROW EXECUTE FUNCTION coverage_changes();
CREATE TRIGGER coverage_by_grant AFTER INSERT OR UPDATE OR DELETE ON membership_registration_grant FOR EACH ROW EXECUTE FUNCTION coverage_changes();

SET LOCAL ROLE rollcall_across;
SELECT keep_coverage(provider_id, id) FROM membership;
RESET ROLE;
