-- What the pages for people of a business look like.
ALTER TABLE provider ADD COLUMN brand_color text CHECK (brand_color ~ '^#[0-9a-f]{6}$');

-- What somebody said who signed up, until the e-mail address is confirmed: before that nobody becomes a customer. By
-- address (NFC, lower case), whether or not it has an account: that is nobody's to learn from how long it takes.
CREATE TABLE sign_up (
  provider_id bigint NOT NULL REFERENCES provider,
  email_key text NOT NULL CHECK (length(email_key) <= 254),
  first_name text NOT NULL CHECK (length(first_name) <= 128),
  last_name text NOT NULL CHECK (length(last_name) <= 128),
  venue_id bigint,
  is_opted_into_broadcast_messages boolean NOT NULL,
  is_opted_into_sms_marketing boolean NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (provider_id, email_key),
  FOREIGN KEY (provider_id, venue_id) REFERENCES venue
);
CALL protect('sign_up');
CREATE INDEX sign_up_age ON sign_up (created_at);
