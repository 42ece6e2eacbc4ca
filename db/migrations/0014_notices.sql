-- Codes that verify a number: nobody is sent many, whoever asks for them.
CREATE INDEX message_code ON message (provider_id, recipient, queued_at) WHERE kind = 'verification_code';

-- What a business does otherwise than by default with a kind of notice.
CREATE TABLE notification_type_setting (
  provider_id bigint NOT NULL REFERENCES provider,
  type text NOT NULL CHECK (type ~ '^[a-z_]{1,60}$'),
  -- null: as by default
  email_enabled boolean,
  sms_enabled boolean,
  subject text CHECK (length(subject) <= 300),
  body text CHECK (length(body) <= 20000),
  sms_body text CHECK (length(sms_body) <= 1000),
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (provider_id, type)
);
CALL protect('notification_type_setting');

-- The calendar entry that a customer was sent for an event: its sequence grows, so that calendars change the same one.
CREATE TABLE calendar_entry (
  provider_id bigint NOT NULL,
  event_id bigint NOT NULL,
  customer_id bigint NOT NULL,
  sequence integer NOT NULL DEFAULT 0,
  PRIMARY KEY (provider_id, event_id, customer_id),
  FOREIGN KEY (provider_id, event_id) REFERENCES event,
  FOREIGN KEY (provider_id, customer_id) REFERENCES customer
);
CALL protect('calendar_entry');

-- When somebody is to be reminded of an event; it goes once that has been seen to.
CREATE TABLE event_reminder (
  provider_id bigint NOT NULL,
  event_id bigint NOT NULL,
  customer_id bigint NOT NULL,
  due_at timestamptz NOT NULL,
  PRIMARY KEY (provider_id, event_id, customer_id),
  FOREIGN KEY (provider_id, event_id) REFERENCES event,
  FOREIGN KEY (provider_id, customer_id) REFERENCES customer
);
CALL protect('event_reminder');
CREATE INDEX event_reminder_due ON event_reminder (due_at);
