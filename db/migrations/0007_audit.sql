-- Finding entries of the audit: by who, by what was done, by request; each with the id, which is the order of the list.
-- Every change writes here, so there are no more of these than there are questions.
CREATE INDEX audit_entry_actor ON audit_entry (provider_id, actor, id);
CREATE INDEX audit_entry_action ON audit_entry (provider_id, action, id);
CREATE INDEX audit_entry_request ON audit_entry (provider_id, request_id);
CREATE INDEX audit_entry_user ON audit_entry (provider_id, user_id, id) WHERE user_id IS NOT NULL;
CREATE INDEX audit_entry_application ON audit_entry (provider_id, application_id, id) WHERE application_id IS NOT NULL;
-- Entries come in the order of time, so a few words for each stretch of the table are enough, and cost a write nothing.
CREATE INDEX audit_entry_at ON audit_entry USING brin (at) WITH (pages_per_range = 32, autosummarize = on);
