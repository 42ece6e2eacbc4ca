-- With which membership somebody came.
ALTER TABLE checkin ADD COLUMN customer_membership_id bigint,
  ADD FOREIGN KEY (provider_id, customer_membership_id) REFERENCES customer_membership;
CREATE INDEX checkin_membership ON checkin (provider_id, customer_membership_id) WHERE customer_membership_id IS NOT NULL;

-- The address of a purchase names the business: its secret is one within it.
ALTER TABLE membership_purchase DROP CONSTRAINT membership_purchase_secret_hash_key, ADD UNIQUE (provider_id, secret_hash);
