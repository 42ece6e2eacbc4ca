-- The application through which a booking was made, called as it was then: it may belong to another business, whose rows are
-- not seen here, and may be renamed or deleted since. Null: it was made without one.
ALTER TABLE attendance ADD COLUMN booking_application_id bigint,
  ADD COLUMN booking_application_name text CHECK (length(booking_application_name) <= 255),
  ADD CHECK ((booking_application_id IS NULL) = (booking_application_name IS NULL));
