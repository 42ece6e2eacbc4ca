-- expand
-- An installation may consist of several cells: databases with processes of their own. Each business lives in one of them.

-- Which cell this database is. No row: it is the only one.
CREATE TABLE cell (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  number smallint NOT NULL CHECK (number BETWEEN 1 AND 32),
  since timestamptz NOT NULL DEFAULT now()
);
GRANT SELECT ON cell TO rollcall_app, rollcall_across;

-- Businesses whose rows are here, or were, and that live in another cell, or are on their way. A business without a row
-- here lives here. Rows of one that left may be gone, and what is said of it stays.
CREATE TABLE cell_business (
  provider_id bigint PRIMARY KEY,
  -- arriving: it is being copied from `cell`, where it lives; leaving: it goes to `cell` at this moment, and nobody works
  -- with it; left: it lives in `cell`, and what is here is how it was when it left
  state text NOT NULL CHECK (state IN ('arriving', 'leaving', 'left')),
  cell smallint NOT NULL CHECK (cell BETWEEN 1 AND 32),
  changed_at timestamptz NOT NULL DEFAULT now()
);
GRANT SELECT ON cell_business TO rollcall_app, rollcall_across;

-- Moving -------------------------------------------------------------------------------------------------------------

-- What is known of a move beside the state of its business, at both of its cells, until it is over.
CREATE TABLE cell_move (
  -- the cell at the other end
  cell smallint NOT NULL CHECK (cell BETWEEN 1 AND 32),
  provider_id bigint PRIMARY KEY,
  began_at timestamptz NOT NULL DEFAULT now(),
  -- where it lives: nothing is begun for it any more that goes on outside of a transaction, such as a webhook
  settles boolean NOT NULL DEFAULT false,
  -- where it lives: jobs that waited when it was closed, which are in no queue until it lives again, here or there
  jobs jsonb NOT NULL DEFAULT '[]',
  -- where it arrives: its rows are as they were at this position of the log there; null: they are not all here
  reached pg_lsn
);
GRANT SELECT ON cell_move TO rollcall_app, rollcall_across;

-- Where businesses are ------------------------------------------------------------------------------------------------
-- All of this is at rest until the database becomes a cell: kernel/cells/become.ts sets it to work.

-- Businesses that are no business of this cell, for the policies of `rollcall_across`. A move writes rows of one business
-- in spite of that.
CREATE FUNCTION elsewhere() RETURNS bigint[] LANGUAGE sql STABLE PARALLEL SAFE
RETURN (SELECT coalesce(array_agg(provider_id), '{}') FROM cell_business
        WHERE provider_id::text IS DISTINCT FROM current_setting('rollcall.moving', true));

-- Ends the transaction of a business that is not here. In a cell, every transaction of a business opens with it.
CREATE FUNCTION stop_elsewhere(state text, cell smallint) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the business is in another cell' USING ERRCODE = 'RC001', DETAIL = state || ' ' || cell;
END $$;

-- Names by which requests say which business they are for, as `slug:harbour`. Other cells ask for what has changed since
-- they asked before; a name that is gone stays for a while, so that they hear of it.
CREATE TABLE cell_name (
  name text PRIMARY KEY,
  provider_id bigint NOT NULL,
  gone boolean NOT NULL DEFAULT false,
  -- the transaction, not a number of its own: those that are under way are known, so that nothing is passed over
  changed_in xid8 NOT NULL DEFAULT pg_current_xact_id(),
  changed_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX cell_name_changed ON cell_name (changed_in);
CREATE INDEX cell_name_provider ON cell_name (provider_id);
GRANT SELECT ON cell_name TO rollcall_app, rollcall_across;

-- Tells all processes that a business has come or gone. Rows that come with a move fire no triggers, so its names are
-- looked up when it begins to live here; `tell_cell_names` is made when the database becomes a cell.
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
-- A person has one account, and every cell that knows them has a copy of it, with the same id. Nothing is written here
-- while there is one cell.

-- Since when each part of an account is as it is here. Of two cells that say something different of a part, the one
-- with the later version is right, and of two with the same version the one with the higher number. A part that never
-- changed has no row.
CREATE TABLE account_part (
  user_id bigint NOT NULL REFERENCES user_account ON DELETE CASCADE,
  part text NOT NULL CHECK (part IN ('access', 'email', 'name', 'passkeys', 'password', 'second_factor', 'sessions')),
  version bigint NOT NULL,
  cell smallint NOT NULL CHECK (cell BETWEEN 1 AND 32),
  -- of the sessions: those that had begun by then have ended, but for this one
  ended_at timestamptz,
  kept bigint,
  PRIMARY KEY (user_id, part)
);
GRANT SELECT, INSERT, UPDATE ON account_part TO rollcall_across;

-- Accounts that changed here, or are gone, and of which not every other cell has heard. `change` grows with each change:
-- one that comes while the one before is told stays.
CREATE TABLE account_news (
  user_id bigint PRIMARY KEY,
  change bigint NOT NULL,
  -- cells that know it by now
  heard smallint[] NOT NULL DEFAULT '{}'
);
CREATE INDEX account_news_change ON account_news (change);
GRANT SELECT, UPDATE, DELETE ON account_news TO rollcall_across;

-- Accounts of another cell that this one cannot take: an account of its own has the address, because somebody signed up
-- in both at the same moment, or it has the id. Each stays an account of its own cell.
CREATE TABLE account_clash (
  user_id bigint NOT NULL REFERENCES user_account ON DELETE CASCADE,
  cell smallint NOT NULL,
  other_id bigint NOT NULL,
  over text NOT NULL CHECK (over IN ('address', 'id')),
  seen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, cell, other_id)
);
GRANT SELECT, INSERT, DELETE ON account_clash TO rollcall_across;

-- Later than what was before, and by the clock where that is later still: cells whose clocks agree agree on what was last.
CREATE FUNCTION next_account_version(before bigint) RETURNS bigint LANGUAGE sql VOLATILE AS $$
  SELECT greatest(coalesce(before, 0) + 1, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)
$$;

CREATE FUNCTION account_changed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
  account bigint;
  changed text[] := '{}';
BEGIN
  -- A copy has the versions that it came with, and its own cell tells the others.
  IF current_setting('rollcall.copying_account', true) = 'on' THEN RETURN NULL; END IF;
  IF TG_TABLE_NAME = 'user_account' THEN
    account := CASE TG_OP WHEN 'DELETE' THEN OLD.id ELSE NEW.id END;
    IF TG_OP = 'UPDATE' THEN
      changed := array_remove(ARRAY[
        CASE WHEN (OLD.email, OLD.email_key, OLD.email_confirmed_at) IS DISTINCT FROM (NEW.email, NEW.email_key, NEW.email_confirmed_at) THEN 'email' END,
        CASE WHEN (OLD.first_name, OLD.last_name) IS DISTINCT FROM (NEW.first_name, NEW.last_name) THEN 'name' END,
        CASE WHEN (OLD.password_hash, OLD.password_changed_at) IS DISTINCT FROM (NEW.password_hash, NEW.password_changed_at) THEN 'password' END,
        CASE WHEN (OLD.disabled_at, OLD.access_ended_at) IS DISTINCT FROM (NEW.disabled_at, NEW.access_ended_at) THEN 'access' END,
        CASE WHEN (OLD.totp_secret, OLD.totp_confirmed_at) IS DISTINCT FROM (NEW.totp_secret, NEW.totp_confirmed_at) THEN 'second_factor' END
      ], NULL);
      IF changed = '{}' AND OLD.totp_last_step IS NOT DISTINCT FROM NEW.totp_last_step THEN RETURN NULL; END IF;
    END IF;
  ELSE
    account := CASE TG_OP WHEN 'DELETE' THEN OLD.user_id ELSE NEW.user_id END;
    -- With the account go its codes and keys.
    IF NOT EXISTS (SELECT FROM user_account u WHERE u.id = account) THEN RETURN NULL; END IF;
    -- That one was used makes no other version: what was used anywhere is used everywhere.
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

-- Ends the sessions of the account in every cell, but for one; those of this cell are deleted by whoever calls it.
CREATE FUNCTION end_account_sessions(account bigint, at timestamptz, keep bigint) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public AS $$
  INSERT INTO account_part (user_id, part, version, cell, ended_at, kept)
  VALUES (account, 'sessions', next_account_version(NULL), (SELECT number FROM cell), at, keep)
  ON CONFLICT (user_id, part) DO UPDATE SET version = next_account_version(account_part.version), cell = excluded.cell,
    ended_at = excluded.ended_at, kept = excluded.kept;
  INSERT INTO account_news (user_id, change) VALUES (account, next_account_version(NULL))
  ON CONFLICT (user_id) DO UPDATE SET change = next_account_version(account_news.change), heard = '{}';
$$;

-- From the moment on that the database is a cell, what happens to accounts is noted, whoever does it.
CREATE FUNCTION note_account_changes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  tbl text;
BEGIN
  FOREACH tbl IN ARRAY ARRAY['passkey', 'recovery_code', 'user_account'] LOOP
    EXECUTE format('CREATE OR REPLACE TRIGGER account_changed AFTER INSERT OR UPDATE OR DELETE ON %I FOR EACH ROW EXECUTE FUNCTION account_changed()', tbl);
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER cell_notes_account_changes AFTER INSERT ON cell FOR EACH ROW EXECUTE FUNCTION note_account_changes();
