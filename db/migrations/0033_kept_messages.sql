-- Without a mail server, or a service for text messages, a message is kept for the operator to read. It was not sent.
ALTER TABLE message DROP CONSTRAINT message_status_check,
  ADD CONSTRAINT message_status_check CHECK (status IN ('queued', 'sending', 'sent', 'kept', 'delivered', 'bounced', 'failed', 'skipped'));
