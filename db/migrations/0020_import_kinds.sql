-- contract: needs every process at 0.1.0

-- More kinds of files. Release 0.1.0 neither writes nor needs the narrower constraint.
ALTER TABLE import DROP CONSTRAINT import_kind_check;
ALTER TABLE import ADD CONSTRAINT import_kind_check CHECK (kind IN ('customers', 'memberships', 'schedule', 'staff',
  'bookings', 'appointments', 'balances', 'gift_cards', 'visits')) NOT VALID;
