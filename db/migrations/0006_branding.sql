-- What the pages for people of a business look like.
ALTER TABLE provider ADD COLUMN brand_color text CHECK (brand_color ~ '^#[0-9a-f]{6}$');

-- What somebody said who signed up, until the e-mail address is confirmed: before that nobody becomes a customer.
CREATE TABLE sign_up (
  provider_id bigint NOT NULL REFERENCES provider,
  user_id bigint NOT NULL REFERENCES user_account,
  venue_id bigint,
  is_opted_into_broadcast_messages boolean NOT NULL DEFAULT false,
  is_opted_into_sms_marketing boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (provider_id, user_id),
  FOREIGN KEY (provider_id, venue_id) REFERENCES venue
);
CALL protect('sign_up');
