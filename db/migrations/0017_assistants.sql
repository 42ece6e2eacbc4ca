-- expand

-- An assistant: its tokens are for the endpoint for assistants alone, where a person confirms each change.
ALTER TABLE application ADD COLUMN is_assistant boolean NOT NULL DEFAULT false;
ALTER TABLE application ADD CONSTRAINT assistant_takes_no_passwords
  CHECK (NOT is_assistant OR direct_auth_status = 'none') NOT VALID;
CREATE CONSTRAINT TRIGGER access_assistant AFTER UPDATE ON application DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD.is_assistant <> NEW.is_assistant) EXECUTE FUNCTION access_changed('application', 'id');

-- Limits that a person set when they connected an assistant: it has no other permissions of staff, and none at other
-- venues. Null: no limit but those of the person.
ALTER TABLE app_consent ADD COLUMN permissions text[];
ALTER TABLE app_consent ADD COLUMN venue_ids bigint[];
-- As they were agreed for this log-in. A later consent doesn't widen an earlier log-in.
ALTER TABLE app_authorization ADD COLUMN permissions text[];
ALTER TABLE app_authorization ADD COLUMN venue_ids bigint[];
