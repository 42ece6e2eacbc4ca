-- contract: needs every process at 0.1.0

-- A file of gift cards from another product. Dropping the constraint is what contracts: its successor allows more.
ALTER TABLE import DROP CONSTRAINT import_kind_check;
ALTER TABLE import ADD CONSTRAINT import_kind_check CHECK (kind IN ('customers', 'memberships', 'schedule', 'staff',
  'bookings', 'appointments', 'balances', 'gift_cards')) NOT VALID;

-- A card that another product sold: no invoice here billed it, and its holder has the code of the other product. What
-- is left on it was posted to `opening_balance`.
ALTER TABLE gift_card ADD COLUMN brought_forward boolean NOT NULL DEFAULT false;
CREATE TRIGGER gift_card_stays_brought BEFORE UPDATE OF brought_forward ON gift_card FOR EACH ROW
  EXECUTE FUNCTION gift_card_stays();
