-- Names are enough to enter a customer; an address may follow.
ALTER TABLE customer DROP CONSTRAINT customer_check1;

-- By whose code a customer came; the code, because it outlives whoever had it.
ALTER TABLE customer ADD COLUMN referred_by_code text CHECK (length(referred_by_code) <= 100);
