-- Filters say `null` for customers without a status.
ALTER TABLE customer_status ADD CHECK (slug <> 'null');

-- With those who have none, so that a filter for some statuses or none reads nothing else.
DROP INDEX customer_of_status;
CREATE INDEX customer_of_status ON customer (provider_id, status_id);

-- Who waits has an attendance, which becomes the booking: `not_registered` until then, and again when the wait ends otherwise.
-- One that is there already (a late cancellation, say) stays as it is. Rows that hold no seat do not touch the counters.
INSERT INTO attendance (provider_id, event_id, customer_id, status, created_at, updated_at)
  SELECT provider_id, event_id, customer_id, 'not_registered', min(added_at), min(added_at) FROM waitlist_spot GROUP BY 1, 2, 3
  ON CONFLICT (provider_id, event_id, customer_id) DO NOTHING;
-- A merge of customers moves both, and asks to be checked at its end.
ALTER TABLE waitlist_spot ADD CONSTRAINT waitlist_spot_attendance
  FOREIGN KEY (provider_id, event_id, customer_id) REFERENCES attendance (provider_id, event_id, customer_id) DEFERRABLE;
