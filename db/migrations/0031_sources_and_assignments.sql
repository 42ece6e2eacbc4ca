-- The application through which a booking was made, called as it was then: it may belong to another business, whose rows are
-- not seen here, and may be renamed or deleted since. Null: it was made without one.
ALTER TABLE attendance ADD COLUMN booking_application_id bigint,
  ADD COLUMN booking_application_name text CHECK (length(booking_application_name) <= 255),
  ADD CHECK ((booking_application_id IS NULL) = (booking_application_name IS NULL));

-- A locked status stays, whatever happens: rules and workflows leave it alone.
ALTER TABLE customer ADD COLUMN is_status_locked boolean NOT NULL DEFAULT false;

-- Staff who look after a customer.
CREATE TABLE customer_staff_assignment (
  provider_id bigint NOT NULL,
  customer_id bigint NOT NULL,
  staff_id bigint NOT NULL,
  PRIMARY KEY (provider_id, customer_id, staff_id),
  FOREIGN KEY (provider_id, customer_id) REFERENCES customer,
  FOREIGN KEY (provider_id, staff_id) REFERENCES staff
);
CREATE INDEX customer_staff_assignment_staff ON customer_staff_assignment (provider_id, staff_id, customer_id);
CALL protect('customer_staff_assignment');
