-- Filters say `null` for customers without a status.
ALTER TABLE customer_status ADD CHECK (slug <> 'null');

-- With those who have none, so that a filter for some statuses or none reads nothing else.
DROP INDEX customer_of_status;
CREATE INDEX customer_of_status ON customer (provider_id, status_id);
