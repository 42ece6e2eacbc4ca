-- expand

-- What the confirmed changes of an assistant may do in 24 hours, for each person who connected it. Null: no limit.
ALTER TABLE application ADD COLUMN daily_message_limit integer;
ALTER TABLE application ADD COLUMN daily_amount_limit_minor bigint;
ALTER TABLE application ADD CONSTRAINT daily_limits_are_not_negative
  CHECK (daily_message_limit >= 0 AND daily_amount_limit_minor >= 0) NOT VALID;

-- What a confirmed change did: the number of messages, and the money that it moved.
ALTER TABLE assistant_proposal ADD COLUMN messages integer;
ALTER TABLE assistant_proposal ADD COLUMN amount_minor bigint;
