-- expand
-- An installation can consist of several cells: databases with their own processes. Each business lives in one of them.

-- The number of the cell that this database is. Without a row, it is the only one.
CREATE TABLE cell (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  number smallint NOT NULL CHECK (number BETWEEN 1 AND 32),
  since timestamptz NOT NULL DEFAULT now()
);
GRANT SELECT ON cell TO rollcall_app, rollcall_across;

-- Businesses whose rows are or were here, and that live in another cell or are being moved. A business without a row
-- here lives here. The rows of a business that left may have been deleted, while its row in this table stays.
CREATE TABLE cell_business (
  provider_id bigint PRIMARY KEY,
  -- arriving: it is being copied from `cell`, where it lives; leaving: it is moving to `cell` right now, and nobody can
  -- use it; left: it lives in `cell`, and its rows here are as they were when it left
  state text NOT NULL CHECK (state IN ('arriving', 'leaving', 'left')),
  cell smallint NOT NULL CHECK (cell BETWEEN 1 AND 32),
  changed_at timestamptz NOT NULL DEFAULT now()
);
GRANT SELECT ON cell_business TO rollcall_app, rollcall_across;

-- Moving -------------------------------------------------------------------------------------------------------------

-- The state of a move in addition to that of its business, at both of its cells, until the move has ended.
CREATE TABLE cell_move (
  -- the cell at the other end
  cell smallint NOT NULL CHECK (cell BETWEEN 1 AND 32),
  provider_id bigint PRIMARY KEY,
  began_at timestamptz NOT NULL DEFAULT now(),
  -- at the source: no new work that continues outside of a transaction is started for it, such as a webhook
  settles boolean NOT NULL DEFAULT false,
  -- at the source: jobs that were pending when it was closed, which are in no queue until it is opened again, here or
  -- there
  jobs jsonb NOT NULL DEFAULT '[]',
  -- at the destination: the position in the source's WAL that its rows here correspond to; null: the copy is incomplete
  reached pg_lsn
);
GRANT SELECT ON cell_move TO rollcall_app, rollcall_across;

-- Location of businesses ----------------------------------------------------------------------------------------------
-- All of this is inactive until the database becomes a cell: server/scale/cells/become.ts activates it.

-- Businesses that don't live in this cell, for the policies of `rollcall_across`. A move may still write the rows of
-- its own business.
CREATE FUNCTION elsewhere() RETURNS bigint[] LANGUAGE sql STABLE PARALLEL SAFE
RETURN (SELECT coalesce(array_agg(provider_id), '{}') FROM cell_business
        WHERE provider_id::text IS DISTINCT FROM current_setting('rollcall.moving', true));

-- Aborts the transaction of a business that is not here. In a cell, every transaction of a business begins with it.
CREATE FUNCTION stop_elsewhere(state text, cell smallint) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the business is in another cell' USING ERRCODE = 'RC001', DETAIL = state || ' ' || cell;
END $$;

-- Names by which requests identify a business, such as `slug:harbour`. Other cells poll for changes since their last
-- request; a deleted name stays for a while, so that they learn of it.
CREATE TABLE cell_name (
  name text PRIMARY KEY,
  provider_id bigint NOT NULL,
  gone boolean NOT NULL DEFAULT false,
  -- the transaction, not a sequence number: transactions in progress are known, so that no change is missed
  changed_in xid8 NOT NULL DEFAULT pg_current_xact_id(),
  changed_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX cell_name_changed ON cell_name (changed_in);
CREATE INDEX cell_name_provider ON cell_name (provider_id);
GRANT SELECT ON cell_name TO rollcall_app, rollcall_across;

-- Notifies all processes that a business has arrived or left. Rows that a move copies fire no triggers, so the names of
-- the business are read when it begins to live here; `tell_cell_names` is created when the database becomes a cell.
CREATE FUNCTION cell_business_changed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
  business bigint := coalesce(NEW.provider_id, OLD.provider_id);
BEGIN
  IF TG_OP = 'DELETE' THEN PERFORM tell_cell_names(business); END IF;
  UPDATE cell_name SET changed_in = pg_current_xact_id(), changed_at = now() WHERE provider_id = business;
  PERFORM pg_notify('cell_business', business::text);
  RETURN NULL;
END $$;
CREATE TRIGGER cell_business_changed AFTER INSERT OR UPDATE OR DELETE ON cell_business
  FOR EACH ROW EXECUTE FUNCTION cell_business_changed();

-- Accounts -----------------------------------------------------------------------------------------------------------
-- A person has one account, and every cell that knows the person has a copy of it, with the same id. With a single
-- cell, nothing is written here.

-- The version of each part of an account in this cell. If two cells differ in a part, the later version wins, and for
-- equal versions the cell with the higher number. A part that never changed has no row.
CREATE TABLE account_part (
  user_id bigint NOT NULL REFERENCES user_account ON DELETE CASCADE,
  part text NOT NULL CHECK (part IN ('access', 'email', 'name', 'passkeys', 'password', 'second_factor', 'sessions')),
  version bigint NOT NULL,
  cell smallint NOT NULL CHECK (cell BETWEEN 1 AND 32),
  -- for the sessions: those that had begun by then have ended, except this one
  ended_at timestamptz,
  kept bigint,
  PRIMARY KEY (user_id, part)
);
GRANT SELECT, INSERT, UPDATE ON account_part TO rollcall_across;

-- Accounts that were changed or deleted here, and whose change some other cell hasn't received yet. `change` grows with
-- each change: a change that is made while the previous one is being sent stays in the table.
CREATE TABLE account_news (
  user_id bigint PRIMARY KEY,
  change bigint NOT NULL,
  -- cells that have received the change
  heard smallint[] NOT NULL DEFAULT '{}'
);
CREATE INDEX account_news_change ON account_news (change);
GRANT SELECT, UPDATE, DELETE ON account_news TO rollcall_across;

-- Accounts of another cell that this one cannot copy: an account of its own has the address, because somebody signed up
-- in both at the same time, or it has the id. Each remains an account of its own cell.
CREATE TABLE account_clash (
  user_id bigint NOT NULL REFERENCES user_account ON DELETE CASCADE,
  cell smallint NOT NULL,
  other_id bigint NOT NULL,
  over text NOT NULL CHECK (over IN ('address', 'id')),
  seen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, cell, other_id)
);
GRANT SELECT, INSERT, DELETE ON account_clash TO rollcall_across;

-- Greater than the previous version, and at least the current time: cells with synchronized clocks agree on which
-- change was last.
CREATE FUNCTION next_account_version(before bigint) RETURNS bigint LANGUAGE sql VOLATILE AS $$
  SELECT greatest(coalesce(before, 0) + 1, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)
$$;

CREATE FUNCTION account_changed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
  account bigint;
  changed text[] := '{}';
BEGIN
  -- A copy keeps the versions that it came with, and its own cell informs the others.
  IF current_setting('rollcall.copying_account', true) = 'on' THEN RETURN NULL; END IF;
  IF TG_TABLE_NAME = 'user_account' THEN
    account := CASE TG_OP WHEN 'DELETE' THEN OLD.id ELSE NEW.id END;
    IF TG_OP = 'UPDATE' THEN
      changed := array_remove(ARRAY[
        CASE WHEN (OLD.email, OLD.email_key, OLD.email_confirmed_at) IS DISTINCT FROM (NEW.email, NEW.email_key,
          NEW.email_confirmed_at) THEN 'email' END,
        CASE WHEN (OLD.first_name, OLD.last_name) IS DISTINCT FROM (NEW.first_name, NEW.last_name) THEN 'name' END,
        CASE WHEN (OLD.password_hash, OLD.password_changed_at) IS DISTINCT FROM (NEW.password_hash,
          NEW.password_changed_at) THEN 'password' END,
        CASE WHEN (OLD.disabled_at, OLD.access_ended_at) IS DISTINCT FROM (NEW.disabled_at,
          NEW.access_ended_at) THEN 'access' END,
        CASE WHEN (OLD.totp_secret, OLD.totp_confirmed_at) IS DISTINCT FROM (NEW.totp_secret,
          NEW.totp_confirmed_at) THEN 'second_factor' END
      ], NULL);
      IF changed = '{}' AND OLD.totp_last_step IS NOT DISTINCT FROM NEW.totp_last_step THEN RETURN NULL; END IF;
    END IF;
  ELSE
    account := CASE TG_OP WHEN 'DELETE' THEN OLD.user_id ELSE NEW.user_id END;
    -- The account's codes and keys are deleted with it.
    IF NOT EXISTS (SELECT FROM user_account u WHERE u.id = account) THEN RETURN NULL; END IF;
    -- Using a code makes no new version: a code that was used in one cell counts as used in every cell.
    IF TG_TABLE_NAME = 'recovery_code' THEN
      IF TG_OP <> 'UPDATE' THEN changed := '{second_factor}'; END IF;
    ELSIF TG_OP <> 'UPDATE' THEN
      changed := '{passkeys}';
    ELSIF OLD.name <> NEW.name THEN
      changed := '{passkeys}';
    END IF;
  END IF;
  INSERT INTO account_part (user_id, part, version, cell)
  SELECT account, part, next_account_version(NULL), (SELECT number FROM cell) FROM unnest(changed) part
  ON CONFLICT (user_id, part) DO UPDATE SET version = next_account_version(account_part.version), cell = excluded.cell;
  INSERT INTO account_news (user_id, change) VALUES (account, next_account_version(NULL))
  ON CONFLICT (user_id) DO UPDATE SET change = next_account_version(account_news.change), heard = '{}';
  RETURN NULL;
END $$;

-- Ends the sessions of the account in every cell, except one; the caller deletes those of this cell.
CREATE FUNCTION end_account_sessions(account bigint, at timestamptz, keep bigint) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public AS $$
  INSERT INTO account_part (user_id, part, version, cell, ended_at, kept)
  VALUES (account, 'sessions', next_account_version(NULL), (SELECT number FROM cell), at, keep)
  ON CONFLICT (user_id, part) DO UPDATE SET version = next_account_version(account_part.version), cell = excluded.cell,
    ended_at = excluded.ended_at, kept = excluded.kept;
  INSERT INTO account_news (user_id, change) VALUES (account, next_account_version(NULL))
  ON CONFLICT (user_id) DO UPDATE SET change = next_account_version(account_news.change), heard = '{}';
$$;

-- Once the database is a cell, all changes to accounts are recorded, whoever makes them.
CREATE FUNCTION note_account_changes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  tbl text;
BEGIN
  FOREACH tbl IN ARRAY ARRAY['passkey', 'recovery_code', 'user_account'] LOOP
    EXECUTE format('CREATE OR REPLACE TRIGGER account_changed AFTER INSERT OR UPDATE OR DELETE ON %I '
      'FOR EACH ROW EXECUTE FUNCTION account_changed()', tbl);
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER cell_notes_account_changes AFTER INSERT ON cell FOR EACH ROW EXECUTE FUNCTION note_account_changes();
