-- How accounts end: what a person began with one, at once; and the account itself, where nobody ever confirmed its address.

-- Sessions, codes and tokens of before are over: the account was disabled, or the operator ended them.
ALTER TABLE user_account ADD COLUMN access_ended_at timestamptz;
CALL watch_access('user_account', 'user', 'id', '{disabled_at,password_changed_at,access_ended_at}');

-- What hangs on an account goes with it; staff and customers do not, so that no account of theirs can be deleted.
ALTER TABLE user_session DROP CONSTRAINT user_session_user_id_fkey, ADD FOREIGN KEY (user_id) REFERENCES user_account ON DELETE CASCADE;
ALTER TABLE recovery_code DROP CONSTRAINT recovery_code_user_id_fkey, ADD FOREIGN KEY (user_id) REFERENCES user_account ON DELETE CASCADE;
ALTER TABLE account_ticket DROP CONSTRAINT account_ticket_user_id_fkey, ADD FOREIGN KEY (user_id) REFERENCES user_account ON DELETE CASCADE;
ALTER TABLE user_event DROP CONSTRAINT user_event_user_id_fkey, ADD FOREIGN KEY (user_id) REFERENCES user_account ON DELETE CASCADE;
ALTER TABLE app_authorization DROP CONSTRAINT app_authorization_user_id_fkey, ADD FOREIGN KEY (user_id) REFERENCES user_account ON DELETE CASCADE;
ALTER TABLE app_consent DROP CONSTRAINT app_consent_user_id_fkey, ADD FOREIGN KEY (user_id) REFERENCES user_account ON DELETE CASCADE;
ALTER TABLE pending_login DROP CONSTRAINT pending_login_user_id_fkey, ADD FOREIGN KEY (user_id) REFERENCES user_account ON DELETE CASCADE;
GRANT DELETE ON user_account TO rollcall_across;

-- Each of these tables is asked for the rows of an account that is deleted, at whatever business they are.
CREATE INDEX staff_account ON staff (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX customer_account ON customer (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX pending_login_user ON pending_login (user_id);
CREATE INDEX app_authorization_account ON app_authorization (user_id);
DROP INDEX app_authorization_user;
CREATE INDEX user_account_unconfirmed ON user_account (created_at) WHERE email_confirmed_at IS NULL;
