-- Sites of a business, as host names in lower case. Pages of ours lead people on to these alone: whoever holds a token of
-- the business must not be able to make our address one that leads anywhere.
ALTER TABLE provider ADD COLUMN domains text[] NOT NULL DEFAULT '{}'
  CHECK (cardinality(domains) <= 50 AND array_position(domains, NULL) IS NULL);
