-- Who reads what happened, and how far each has come at each business.

-- Which readers this installation has ever run: a new one begins at the end of what there is then.
CREATE TABLE feed_reader (
  name text PRIMARY KEY CHECK (length(name) BETWEEN 1 AND 100),
  began_at timestamptz NOT NULL DEFAULT now()
);
GRANT SELECT, INSERT ON feed_reader TO rollcall_across;

CREATE TABLE feed_reader_position (
  provider_id bigint NOT NULL REFERENCES provider,
  reader text NOT NULL,
  -- the number of the last item that the reader is done with
  last_seq bigint NOT NULL DEFAULT 0,
  -- among the items after last_seq, up to this number, is one that fails; null: none is known
  fails_by bigint CHECK (fails_by > last_seq),
  -- how often the one item at fails_by has failed, why, and when it is tried again
  attempts integer NOT NULL DEFAULT 0,
  error text,
  retry_at timestamptz,
  PRIMARY KEY (provider_id, reader)
);
CALL protect('feed_reader_position');
CREATE INDEX feed_reader_position_failing ON feed_reader_position (provider_id, reader) WHERE fails_by IS NOT NULL;

-- Items that a reader could not act on, however often it was tried, so that it went on without them.
CREATE TABLE feed_item_set_aside (
  provider_id bigint NOT NULL REFERENCES provider,
  reader text NOT NULL,
  seq bigint NOT NULL,
  attempts integer NOT NULL,
  error text NOT NULL,
  set_aside_at timestamptz NOT NULL,
  -- somebody wants it tried once more
  again boolean NOT NULL DEFAULT false,
  PRIMARY KEY (provider_id, reader, seq),
  FOREIGN KEY (provider_id, seq) REFERENCES feed_item (provider_id, seq)
);
CALL protect('feed_item_set_aside');
CREATE INDEX feed_item_set_aside_again ON feed_item_set_aside (provider_id, reader, seq) WHERE again;

-- Up to here every reader has read. The businesses where somebody has not are few: this index is empty when all is quiet.
ALTER TABLE feed_position ADD COLUMN read_seq bigint NOT NULL DEFAULT 0;
CREATE INDEX feed_position_unread ON feed_position (provider_id) WHERE read_seq < last_seq;
