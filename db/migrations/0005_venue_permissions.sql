-- Venues at which what a staff member may do holds; none: at all of them.
--
-- An array beside the permissions, not a table of links: who reads one of them must read the other, a change of either is one
-- change of one row (for the audit, and for whoever remembers what a person reaches), and one constraint keeps both.
ALTER TABLE staff
  ADD COLUMN venue_ids bigint[] NOT NULL DEFAULT '{}' CHECK (array_position(venue_ids, NULL) IS NULL),
  ADD CONSTRAINT staff_admin_everywhere CHECK (venue_ids = '{}' OR NOT 'super_admin' = ANY (permissions));

-- What a foreign key would say if it could look into an array: each is a venue of the same business. Venues are never deleted.
CREATE FUNCTION staff_venues_exist() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM unnest(NEW.venue_ids) AS named (id)
             WHERE NOT EXISTS (SELECT FROM venue v WHERE v.provider_id = NEW.provider_id AND v.id = named.id)) THEN
    RAISE EXCEPTION 'a staff member is limited to venues of the own business' USING ERRCODE = 'foreign_key_violation', CONSTRAINT = 'staff_venues_exist';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER staff_venues_exist BEFORE INSERT OR UPDATE OF venue_ids ON staff FOR EACH ROW
  WHEN (NEW.venue_ids <> '{}') EXECUTE FUNCTION staff_venues_exist();

-- Venues that the objects of a bulk action were at when it was asked for: who may see it is said by them.
ALTER TABLE bulk_action ADD COLUMN venue_ids bigint[] NOT NULL DEFAULT '{}';
UPDATE bulk_action b SET venue_ids = found.venues
  FROM (SELECT r.provider_id, r.bulk_action_id, array_agg(DISTINCT e.venue_id) AS venues
        FROM bulk_action_result r JOIN event e ON e.provider_id = r.provider_id AND e.id = r.primary_object GROUP BY 1, 2) found
  WHERE b.type = 'cancel_events' AND found.provider_id = b.provider_id AND found.bulk_action_id = b.id;

-- A limit is part of what a person reaches.
CALL watch_access('staff', 'user', 'user_id', '{user_id,permissions,venue_ids,archived}');
