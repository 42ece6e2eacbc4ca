-- Reading the feed by what happened, and to what. Items without a number are not in them, so that it is the numbering
-- which fills them, and no booking.
CREATE INDEX feed_item_kind ON feed_item (provider_id, kind, seq) WHERE seq IS NOT NULL;
CREATE INDEX feed_item_object ON feed_item (provider_id, object, object_id, seq) WHERE seq IS NOT NULL;
-- Items come in the order of time, so a few words for each stretch of the table are enough.
CREATE INDEX feed_item_at ON feed_item USING brin (occurred_at) WITH (pages_per_range = 32, autosummarize = on);
