-- expand

-- An assistant: its tokens are for the endpoint for assistants alone, where a person confirms each change.
ALTER TABLE application ADD COLUMN is_assistant boolean NOT NULL DEFAULT false;
ALTER TABLE application ADD CONSTRAINT assistant_takes_no_passwords
  CHECK (NOT is_assistant OR direct_auth_status = 'none') NOT VALID;
CREATE CONSTRAINT TRIGGER access_assistant AFTER UPDATE ON application DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD.is_assistant <> NEW.is_assistant) EXECUTE FUNCTION access_changed('application', 'id');
