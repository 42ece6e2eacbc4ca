-- Kernel schema: the roles, the second wall between businesses, the business itself, the feed, the audit log, and the
-- tables that accompany every change. The files after this one hold the tables of the areas, one file for each group.
--
-- Rules of this schema, checked against the catalog by server/test/checks/structure.test.ts:
--   * every table that belongs to a business starts with provider_id, and its primary key, unique constraints and
--     foreign keys contain it;
--   * row-level security is enabled and FORCED, with one policy for each of the two roles below;
--   * what must never happen (an oversold event, a room used twice) is a constraint, not an `if` elsewhere.
-- Foreign keys point to earlier tables. Where an earlier table refers to a later one, the later file adds the
-- constraint.

CREATE EXTENSION IF NOT EXISTS btree_gist;
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- rollcall_app sees one business at a time. rollcall_across sees all of them, and is entered for one named purpose
-- (`acrossTenants`). Roles belong to the whole cluster, so another of its databases may have created them already, or
-- may be creating them at this moment.
DO $$
DECLARE role_name text;
BEGIN
  FOREACH role_name IN ARRAY ARRAY['rollcall_app', 'rollcall_across'] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role_name) THEN
      BEGIN
        EXECUTE format('CREATE ROLE %I NOLOGIN NOSUPERUSER NOBYPASSRLS', role_name);
      EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
      END;
    END IF;
    IF NOT pg_has_role(current_user, role_name, 'MEMBER') THEN
      EXECUTE format('GRANT %I TO CURRENT_USER', role_name);
    END IF;
  END LOOP;
END $$;

CREATE FUNCTION current_provider_id() RETURNS bigint LANGUAGE sql STABLE PARALLEL SAFE
RETURN nullif(current_setting('rollcall.provider_id', true), '')::bigint;

-- Puts a table behind the second wall. Call it once for each table that belongs to a business.
CREATE PROCEDURE protect(tbl regclass) LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', tbl);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', tbl);
  EXECUTE format('CREATE POLICY tenant ON %s TO rollcall_app USING (provider_id = current_provider_id())', tbl);
  EXECUTE format('CREATE POLICY across ON %s TO rollcall_across USING (true)', tbl);
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO rollcall_app, rollcall_across', tbl);
END $$;

-- Tables that grow with every change ---------------------------------------------------------------------------------
-- These tables have one partition for each month. An expired month is dropped as one table, which costs nothing and
-- leaves nothing to clean up. Inserts go to small indexes, however large the table is.
--
-- The ids of these tables begin with the month in which they were assigned: month * 10^11 + number. So the id alone
-- determines the partition, keys need no additional column, and a list in id order reads one month after another. The
-- month is that of the real time in UTC, even at a test business. Months are counted from January 2000, which is 0.

CREATE FUNCTION month_number(at timestamptz) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ((date_part('year', at AT TIME ZONE 'UTC') - 2000) * 12 + date_part('month',
  at AT TIME ZONE 'UTC') - 1)::integer;

CREATE FUNCTION first_id_of(month integer) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN month::bigint * 100000000000;

-- The last month for which every such table has a partition; make_months_until replaces this function. There is no
-- default partition: it would have to be locked and scanned whenever a month is added, and no month could be detached
-- while others write.
CREATE FUNCTION newest_month() RETURNS integer LANGUAGE sql STABLE PARALLEL SAFE
RETURN 0;

-- Capped at the newest month, so that there is a partition whatever the clock says.
CREATE FUNCTION id_of_this_month(n bigint) RETURNS bigint LANGUAGE sql STABLE PARALLEL SAFE
RETURN first_id_of(least(month_number(now()), newest_month())) + n;

CREATE FUNCTION name_of_month(tbl text, month integer) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN tbl || '_' || (2000 + month / 12) || '_' || lpad((month % 12 + 1)::text, 2, '0');

-- Creates the partitions that are missing in this range of months. Creating a table separately and attaching it doesn't
-- block reads or writes; creating it as a partition would. `…_before` is the template: each partition gets the indexes
-- that it has. Only the owner may access a partition directly: everyone else goes through its table, where the second
-- wall applies.
CREATE PROCEDURE make_months(tbl text, first integer, last integer) LANGUAGE plpgsql SET search_path = public AS $$
DECLARE
  month integer;
  made text;
BEGIN
  FOR month IN first..last LOOP
    made := name_of_month(tbl, month);
    CONTINUE WHEN to_regclass(made) IS NOT NULL;
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL EXCLUDING CONSTRAINTS)', made, tbl || '_before');
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', made);
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)',
      tbl, made, first_id_of(month), first_id_of(month + 1));
  END LOOP;
END $$;

-- Creates the partitions of all such tables up to this month, so that ids may begin with it. If this was not called for
-- a long time, it also creates the months in between. It creates at most two years per call, whatever the clock says.
CREATE PROCEDURE make_months_until(month integer) LANGUAGE plpgsql SET search_path = public AS $$
DECLARE
  newest integer := newest_month();
  first integer := CASE newest WHEN 0 THEN month_number(now()) ELSE newest + 1 END;
  last integer := least(month, first + 23);
  tbl text;
BEGIN
  FOR tbl IN SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'p' ORDER BY 1 LOOP
    CALL make_months(tbl, first, last);
  END LOOP;
  IF last > newest THEN
    EXECUTE format(
      'CREATE OR REPLACE FUNCTION newest_month() RETURNS integer LANGUAGE sql STABLE PARALLEL SAFE RETURN %s', last);
  END IF;
END $$;

-- Completes a table that is PARTITION BY RANGE (id); call it after creating the table's indexes. Adds the id sequence
-- and the partition for everything before this month, which holds rows that a business brings when it moves here.
-- `more`: additional indexes for each partition, which the table as a whole can't have because they don't contain the
-- id.
CREATE PROCEDURE keep_by_month(tbl text, more text DEFAULT NULL) LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE SEQUENCE %I OWNED BY %I.id', tbl || '_id_seq', tbl);
  EXECUTE format('GRANT USAGE ON SEQUENCE %I TO rollcall_app, rollcall_across', tbl || '_id_seq');
  EXECUTE format('ALTER TABLE %I ALTER id SET DEFAULT id_of_this_month(nextval(%L))', tbl, tbl || '_id_seq');
  EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (MINVALUE) TO (%s)',
    tbl || '_before', tbl, first_id_of(month_number(now())));
  EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tbl || '_before');
  IF more IS NOT NULL THEN EXECUTE format(more, tbl || '_before'); END IF;
END $$;

-- Months that have moved from the database to files. Each has one file, plus another one if a business that moved here
-- later brought more rows of an old month.
CREATE TABLE archived_month (
  relation text NOT NULL,
  month integer NOT NULL,
  part integer NOT NULL,
  file text NOT NULL,
  rows bigint NOT NULL,
  -- checksum of the lines before compression
  sha256 text NOT NULL,
  archived_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (relation, month, part)
);

-- Access -------------------------------------------------------------------------------------------------------------
-- Every process caches what a credential grants until these tables report a change.

-- A single row. A transaction that changes what a credential grants increments the value, and every transaction of a
-- request reads it first. So revoked access is refused from the very next request on, in every process.
CREATE TABLE access_epoch (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  value bigint NOT NULL
);
INSERT INTO access_epoch (value) VALUES (0);

-- The change at each epoch, without gaps: a process that finds a gap has missed a change and clears its cache.
CREATE TABLE access_change (
  epoch bigint PRIMARY KEY,
  subject text NOT NULL,
  at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX access_change_at ON access_change (at);
GRANT SELECT ON access_epoch, access_change TO rollcall_app, rollcall_across;
GRANT DELETE ON access_change TO rollcall_across;

-- Arguments: the kind of subject, and the column that holds its id. Runs at the end of the transaction, so that the
-- single row is locked only for the duration of a commit.
CREATE FUNCTION access_changed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
  changed text;
  next_epoch bigint;
BEGIN
  FOR changed IN
    SELECT DISTINCT row_of.it ->> TG_ARGV[1] FROM (VALUES (to_jsonb(OLD)), (to_jsonb(NEW))) row_of (it)
    WHERE row_of.it ->> TG_ARGV[1] IS NOT NULL
  LOOP
    UPDATE access_epoch SET value = value + 1 RETURNING value INTO next_epoch;
    INSERT INTO access_change (epoch, subject) VALUES (next_epoch, TG_ARGV[0] || ':' || changed);
  END LOOP;
  RETURN NULL;
END $$;

-- Records inserted, updated and deleted rows of `tbl` as changes of the subject that `id_column` identifies. An update
-- counts only if one of `columns` differs. It can be called again with other columns.
CREATE PROCEDURE watch_access(tbl regclass, prefix text, id_column text, columns text[]) LANGUAGE plpgsql AS $$
DECLARE
  differs text := (SELECT string_agg(format('OLD.%I IS DISTINCT FROM NEW.%I', c, c), ' OR ') FROM unnest(columns) c);
  kind record;
BEGIN
  FOR kind IN
    SELECT * FROM (VALUES
      ('INSERT', format('NEW.%I IS NOT NULL', id_column)),
      ('UPDATE', format('(OLD.%1$I IS NOT NULL OR NEW.%1$I IS NOT NULL) AND (%2$s)', id_column, differs)),
      ('DELETE', format('OLD.%I IS NOT NULL', id_column))
    ) k (event, condition)
  LOOP
    EXECUTE format('DROP TRIGGER IF EXISTS %I ON %s', 'access_' || lower(kind.event), tbl);
    EXECUTE format(
      'CREATE CONSTRAINT TRIGGER %I AFTER %s ON %s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW '
      'WHEN (%s) EXECUTE FUNCTION access_changed(%L, %L)',
      'access_' || lower(kind.event), kind.event, tbl, kind.condition, prefix, id_column);
  END LOOP;
END $$;

-- The business -------------------------------------------------------------------------------------------------------

-- The tenant. Tables that every booking writes don't reference `provider` directly. The reference would lock the one
-- row of the business for each booking, and the other references and the tenant of the transaction guarantee the same.
CREATE TABLE provider (
  provider_id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 255),
  description text NOT NULL DEFAULT '',
  country text NOT NULL DEFAULT 'US' CHECK (country ~ '^[A-Z]{2}$'),
  -- default language for its customers, if theirs is not known; null: the language of the country
  language text CHECK (language ~ '^[a-z]{2}$'),
  currency text NOT NULL DEFAULT 'USD' CHECK (currency ~ '^[A-Z]{3}$'),
  timezone text NOT NULL,
  contact_email text,
  contact_phone_number text,
  address jsonb,
  is_marketing_preference_on_customer_forms boolean NOT NULL DEFAULT true,
  -- minutes before the start; null: no limit
  registrations_open_interval integer CHECK (registrations_open_interval >= 0),
  registrations_close_interval integer NOT NULL DEFAULT 0 CHECK (registrations_close_interval >= 0),
  cancellation_notice_interval integer NOT NULL DEFAULT 0 CHECK (cancellation_notice_interval >= 0),
  waitlist_max integer CHECK (waitlist_max >= 0),
  -- steps by the time left until the start, see docs/algorithms/waitlist.md
  waitlist_policy jsonb NOT NULL DEFAULT '[{"until_minutes_before": null, "action": "auto_promote"}]',
  quiet_hours_start time,
  quiet_hours_end time,
  checkin_enabled boolean NOT NULL DEFAULT true,
  checkin_granularity text NOT NULL DEFAULT 'venue' CHECK (checkin_granularity IN ('business', 'venue')),
  -- joining an online event counts as coming to it
  joining_marks_attendance boolean NOT NULL DEFAULT false,
  -- action for bookings that a membership paid for but no longer covers: after a hold, a cancellation or an upgrade
  bookings_without_membership text NOT NULL DEFAULT 'cancel' CHECK (bookings_without_membership IN ('cancel', 'keep')),
  -- list prices include their taxes: see docs/algorithms/pricing.md
  prices_include_tax boolean NOT NULL DEFAULT false,
  -- customers may choose on a page to pay at the desk
  customers_pay_at_desk boolean NOT NULL DEFAULT false,
  -- staff need a session that used a second factor
  second_factor_required boolean NOT NULL DEFAULT false,
  -- people may log in with an emailed link, without their password
  log_in_links boolean NOT NULL DEFAULT false,
  -- people may book and buy on its site without an account
  sells_to_guests boolean NOT NULL DEFAULT false,
  -- The address of its booking site is /{slug}. A slug contains a letter, so it is never mistaken for an id.
  slug text CONSTRAINT provider_slug_once UNIQUE
    CHECK (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' AND slug ~ '[a-z]' AND length(slug) BETWEEN 2 AND 60),
  -- the page that lists the businesses of the installation includes it
  is_listed boolean NOT NULL DEFAULT true,
  -- anyone may use the data about what it offers, under the licence that its open data names
  publishes_open_data boolean NOT NULL DEFAULT false,
  -- The business's own host name, whose first page is the business's home page. It takes effect only after DNS has
  -- proved that it belongs to the business: a TXT record contains `site_domain_proof`.
  site_domain text CHECK (site_domain ~ '^[a-z0-9.-]{4,253}$'),
  site_domain_verified_at timestamptz CHECK (site_domain_verified_at IS NULL OR site_domain IS NOT NULL),
  site_domain_proof text NOT NULL DEFAULT replace(gen_random_uuid()::text, '-', ''),
  -- the color of the pages for people
  brand_color text CHECK (brand_color ~ '^#[0-9a-f]{6}$'),
  -- names from `FONTS` (kernel/base/values/fonts.ts); headings: null means the same font as everything else
  brand_font text NOT NULL DEFAULT 'system' CHECK (brand_font ~ '^[a-z_]{1,40}$'),
  brand_heading_font text CHECK (brand_heading_font ~ '^[a-z_]{1,40}$'),
  brand_heading_size text NOT NULL DEFAULT 'medium' CHECK (brand_heading_size IN ('small', 'medium', 'large')),
  -- The business's own websites, as lowercase host names. Our pages redirect to these alone: nobody who holds a token
  -- of the business may be able to turn our address into a redirect to an arbitrary site.
  domains text[] NOT NULL DEFAULT '{}' CHECK (cardinality(domains) <= 50 AND array_position(domains, NULL) IS NULL),
  -- The business's own terms in texts for customers, where they differ from the defaults: the English rows of
  -- `terminology`, copied by its trigger. Every request reads the business, so its terms need no additional statement.
  words jsonb NOT NULL DEFAULT '{}',
  -- a test business: its time can be advanced, it takes no money, and it can be deleted; see docs/guide/test-clock.md
  is_test boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- for the foreign key of test_clock
  UNIQUE (provider_id, is_test)
);
CALL protect('provider');
-- An unverified claim doesn't prevent another business from proving that the name is theirs.
CREATE UNIQUE INDEX provider_site_domain_once ON provider (site_domain) WHERE site_domain_verified_at IS NOT NULL;
CALL watch_access('provider', 'provider', 'provider_id', '{second_factor_required}');

CREATE FUNCTION provider_currency_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the currency of a business stays: its amounts are whole minor units of it'
    USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER provider_currency_stays BEFORE UPDATE OF currency ON provider FOR EACH ROW
  WHEN (NEW.currency <> OLD.currency) EXECUTE FUNCTION provider_currency_stays();

-- A test business can go live. From then on it takes money, and none of its data can be discarded any more.
CREATE FUNCTION provider_stays_live() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a business that is not a test business never becomes one'
    USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER provider_stays_live BEFORE UPDATE OF is_test ON provider FOR EACH ROW
  WHEN (NEW.is_test AND NOT OLD.is_test) EXECUTE FUNCTION provider_stays_live();

-- True if this transaction deletes everything of the business, which must be a test business. Rows that are otherwise
-- permanent, such as the ledger, may be deleted only then.
CREATE FUNCTION being_discarded(business bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT current_setting('rollcall.discarding', true) = business::text
    AND EXISTS (SELECT FROM provider p WHERE p.provider_id = business AND p.is_test)
$$;

-- Counters follow the rows that they count, by triggers; what any other code writes to them is refused.
CREATE FUNCTION counters_follow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the counters of % follow its rows: change the rows', TG_TABLE_NAME
    USING ERRCODE = 'integrity_constraint_violation';
END $$;

CREATE FUNCTION provider_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'only a test business can be deleted' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER provider_stays BEFORE DELETE ON provider FOR EACH ROW
  WHEN (NOT being_discarded(OLD.provider_id)) EXECUTE FUNCTION provider_stays();

-- The clock of each test business: how far its time is ahead of the real time. Other businesses can't have one.
CREATE TABLE test_clock (
  provider_id bigint PRIMARY KEY,
  is_test boolean NOT NULL DEFAULT true CHECK (is_test),
  ahead_ms bigint NOT NULL DEFAULT 0 CHECK (ahead_ms >= 0),
  -- the advance in progress, from and to, in the business's time; null: none
  advances_from timestamptz,
  advances_to timestamptz,
  -- why the last advance ended early; null: it didn't
  failure text CHECK (length(failure) <= 1000),
  CHECK ((advances_from IS NULL) = (advances_to IS NULL)),
  CHECK (advances_from < advances_to),
  CHECK (advances_to IS NULL OR failure IS NULL),
  FOREIGN KEY (provider_id, is_test) REFERENCES provider (provider_id, is_test)
);
CALL protect('test_clock');

CREATE FUNCTION test_clock_goes_forward() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the clock of a test business only goes forward' USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER test_clock_goes_forward BEFORE UPDATE OF ahead_ms ON test_clock FOR EACH ROW
  WHEN (NEW.ahead_ms < OLD.ahead_ms) EXECUTE FUNCTION test_clock_goes_forward();
-- A business that goes live uses the real time from then on, which must not be earlier than its own.
CREATE TRIGGER test_clock_ends_in_real_time BEFORE DELETE ON test_clock FOR EACH ROW
  WHEN (OLD.ahead_ms > 0 AND NOT being_discarded(OLD.provider_id)) EXECUTE FUNCTION test_clock_goes_forward();

-- The feed -----------------------------------------------------------------------------------------------------------

-- Everything that happened, written in the transaction in which it happened. A single process assigns `seq` afterwards,
-- in commit order and without gaps: numbering inside the transaction would make all writes of a business wait for each
-- other.
CREATE TABLE feed_item (
  provider_id bigint NOT NULL,
  id bigint NOT NULL,
  seq bigint,
  kind text NOT NULL,
  object text NOT NULL,
  object_id bigint NOT NULL,
  payload jsonb NOT NULL,
  occurred_at timestamptz NOT NULL,
  PRIMARY KEY (provider_id, id)
) PARTITION BY RANGE (id);
CALL protect('feed_item');
CREATE INDEX feed_item_unnumbered ON feed_item (provider_id, id) WHERE seq IS NULL;
-- For reading the feed by kind and by object. Items without a number are not in these two indexes, so that the
-- numbering fills them and not a booking.
CREATE INDEX feed_item_kind ON feed_item (provider_id, kind, seq) WHERE seq IS NOT NULL;
CREATE INDEX feed_item_object ON feed_item (provider_id, object, object_id, seq) WHERE seq IS NOT NULL;
-- Items arrive in time order, so a BRIN index with a small summary for each block range is enough.
CREATE INDEX feed_item_at ON feed_item USING brin (occurred_at) WITH (pages_per_range = 32, autosummarize = on);
-- The index ensures that no two items of one month have the same number. Across months, the numbering ensures it: it
-- continues from feed_position, one process at a time.
CALL keep_by_month('feed_item', 'CREATE UNIQUE INDEX ON %I (provider_id, seq)');

CREATE TABLE feed_position (
  provider_id bigint PRIMARY KEY REFERENCES provider,
  last_seq bigint NOT NULL DEFAULT 0,
  -- every reader has read up to here
  read_seq bigint NOT NULL DEFAULT 0,
  -- items up to this number have left the database, or may have left it
  gone_seq bigint NOT NULL DEFAULT 0 CHECK (gone_seq <= last_seq)
);
CALL protect('feed_position');
-- Few businesses have items that a reader has not read yet: this index is empty when nothing happens.
CREATE INDEX feed_position_unread ON feed_position (provider_id) WHERE read_seq < last_seq;

-- The readers that this installation has ever run: a new one begins at the current end of the feed.
CREATE TABLE feed_reader (
  name text PRIMARY KEY CHECK (length(name) BETWEEN 1 AND 100),
  began_at timestamptz NOT NULL DEFAULT now()
);
GRANT SELECT, INSERT ON feed_reader TO rollcall_across;

-- The position of each reader at each business.
CREATE TABLE feed_reader_position (
  provider_id bigint NOT NULL REFERENCES provider,
  reader text NOT NULL,
  -- the number of the last item that the reader has finished
  last_seq bigint NOT NULL DEFAULT 0,
  -- one of the items after last_seq, up to this number, fails; null: no failure is known
  fails_by bigint CHECK (fails_by > last_seq),
  -- how often the single item at fails_by has failed, why, and when it is retried
  attempts integer NOT NULL DEFAULT 0,
  error text,
  retry_at timestamptz,
  PRIMARY KEY (provider_id, reader)
);
CALL protect('feed_reader_position');
CREATE INDEX feed_reader_position_failing ON feed_reader_position (provider_id, reader) WHERE fails_by IS NOT NULL;

-- Items that a reader failed to process after all attempts, and therefore skipped.
CREATE TABLE feed_item_set_aside (
  provider_id bigint NOT NULL REFERENCES provider,
  reader text NOT NULL,
  seq bigint NOT NULL,
  attempts integer NOT NULL,
  error text NOT NULL,
  set_aside_at timestamptz NOT NULL,
  -- the operator wants to retry it
  again boolean NOT NULL DEFAULT false,
  -- references a feed item, which is kept for as long as this row exists
  PRIMARY KEY (provider_id, reader, seq)
);
CALL protect('feed_item_set_aside');
CREATE INDEX feed_item_set_aside_again ON feed_item_set_aside (provider_id, reader, seq) WHERE again;

-- Tables that accompany every change ---------------------------------------------------------------------------------

CREATE TABLE audit_entry (
  provider_id bigint NOT NULL,
  id bigint NOT NULL,
  at timestamptz NOT NULL,
  request_id text NOT NULL,
  actor text NOT NULL,
  -- the person and the application behind the actor
  user_id bigint,
  application_id bigint,
  mode text NOT NULL,
  action text NOT NULL,
  object text NOT NULL,
  object_id bigint,
  before jsonb,
  after jsonb,
  PRIMARY KEY (provider_id, id)
) PARTITION BY RANGE (id);
CALL protect('audit_entry');
-- For finding entries by object, actor, action and request, each with the id, which is the order of the list. Every
-- change writes here, so there is no index without a query that needs it.
CREATE INDEX audit_entry_object ON audit_entry (provider_id, object, object_id, id);
CREATE INDEX audit_entry_actor ON audit_entry (provider_id, actor, id);
CREATE INDEX audit_entry_action ON audit_entry (provider_id, action, id);
CREATE INDEX audit_entry_request ON audit_entry (provider_id, request_id);
CREATE INDEX audit_entry_user ON audit_entry (provider_id, user_id, id) WHERE user_id IS NOT NULL;
CREATE INDEX audit_entry_application ON audit_entry (provider_id, application_id, id) WHERE application_id IS NOT NULL;
-- Entries arrive in time order, so a BRIN index with a small summary for each block range is enough, and adds no cost
-- to a write.
CREATE INDEX audit_entry_at ON audit_entry USING brin (at) WITH (pages_per_range = 32, autosummarize = on);
CALL keep_by_month('audit_entry');

CREATE TABLE idempotency_key (
  provider_id bigint NOT NULL,
  credential text NOT NULL,
  key text NOT NULL,
  request_hash text NOT NULL,
  status integer NOT NULL,
  headers jsonb NOT NULL,
  body text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (provider_id, credential, key)
);
CALL protect('idempotency_key');
CREATE INDEX idempotency_key_age ON idempotency_key (created_at);

-- A job's effect and this row commit together, so a job that runs twice takes effect once.
CREATE TABLE job_effect (
  provider_id bigint NOT NULL,
  job_key text NOT NULL,
  done_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (provider_id, job_key)
);
CALL protect('job_effect');

-- Jobs are enqueued in the transaction of the change that needs them. The queue's own tables belong to the owner of the
-- database; this function is the only way in for the roles that serve requests.
--
-- Jobs of one business run one after the other, so a business never occupies more than one worker, and the job of
-- another business finds a free one. Jobs that somebody is waiting for at a screen run first, in parallel with the
-- others of their business; jobs that nobody is waiting for run last.
CREATE FUNCTION enqueue_job(task text, payload json, key text, run_at timestamptz, urgency text DEFAULT 'usual')
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
BEGIN
  PERFORM graphile_worker.add_job(task, payload, run_at := run_at, job_key := key, max_attempts := 25,
    queue_name := CASE WHEN urgency <> 'first' THEN 'business:' || (payload->>'provider_id') END,
    priority := CASE urgency WHEN 'first' THEN -1 WHEN 'last' THEN 1 ELSE 0 END);
END $$;
REVOKE ALL ON FUNCTION enqueue_job FROM PUBLIC;
GRANT EXECUTE ON FUNCTION enqueue_job TO rollcall_app, rollcall_across;

-- Exact totals at a cost that doesn't depend on size: every backend adds to a stripe of its own, so two bookings never
-- wait for each other here, and the sum of the stripes equals the count in the same snapshot.
CREATE TABLE row_count (
  provider_id bigint NOT NULL,
  relation text NOT NULL,
  stripe integer NOT NULL,
  n bigint NOT NULL,
  PRIMARY KEY (provider_id, relation, stripe)
) WITH (fillfactor = 50);
CALL protect('row_count');

CREATE FUNCTION count_rows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO row_count AS c (provider_id, relation, stripe, n)
      SELECT provider_id, TG_TABLE_NAME, pg_backend_pid() % 64, count(*) FROM new_rows GROUP BY provider_id
      ON CONFLICT (provider_id, relation, stripe) DO UPDATE SET n = c.n + excluded.n;
  ELSE
    INSERT INTO row_count AS c (provider_id, relation, stripe, n)
      SELECT provider_id, TG_TABLE_NAME, pg_backend_pid() % 64, -count(*) FROM old_rows GROUP BY provider_id
      ON CONFLICT (provider_id, relation, stripe) DO UPDATE SET n = c.n + excluded.n;
  END IF;
  RETURN NULL;
END $$;

-- Emails and text messages that can't be delivered, because no mail server or no text message service is configured.
-- The operator can read them.
CREATE TABLE mail_outbox (
  provider_id bigint NOT NULL REFERENCES provider,
  id bigint GENERATED BY DEFAULT AS IDENTITY,
  channel text NOT NULL DEFAULT 'email' CHECK (channel IN ('email', 'sms')),
  sender text NOT NULL,
  recipient text NOT NULL,
  subject text NOT NULL,
  text_part text NOT NULL,
  html_part text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (provider_id, id)
);
CALL protect('mail_outbox');
CREATE INDEX mail_outbox_age ON mail_outbox (created_at);

-- Processes ----------------------------------------------------------------------------------------------------------
-- State that the processes on this database share. Unlogged: it writes no WAL, waits for no standby, is in no backup,
-- and after a crash every process reports again within a second.

-- One row for each process, which the process renews while it runs.
CREATE UNLOGGED TABLE process (
  id uuid PRIMARY KEY,
  role text NOT NULL CHECK (role IN ('all', 'server', 'worker')),
  release text NOT NULL,
  host text NOT NULL,
  pid integer NOT NULL,
  -- number of servers that share the limits, including itself
  servers integer NOT NULL,
  -- how far its clock is ahead of the database's clock, less the network latency
  clock_ahead_ms double precision NOT NULL,
  -- its open streams: counts by the caller that they count against
  streams jsonb NOT NULL DEFAULT '{}',
  started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  seen_at timestamptz NOT NULL,
  -- it shut down properly; its last report is still read
  ended boolean NOT NULL DEFAULT false
) WITH (fillfactor = 50);

-- Usage of rate limits that the process counted: milliseconds until it is refilled, keyed by a pseudonym of the caller
-- that reveals nothing without the secret key. Kept for as long as a limit remembers.
CREATE UNLOGGED TABLE process_report (
  process_id uuid NOT NULL,
  number bigint NOT NULL,
  -- since the previous report
  taken jsonb NOT NULL,
  -- all usage that it knows of, whichever process counted it; for processes that start
  whole jsonb,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (process_id, number)
);
CREATE INDEX process_report_age ON process_report (at);

-- Backups that were made, so that missing backups are noticed.
CREATE TABLE backup_record (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT now(),
  host text NOT NULL,
  file text NOT NULL
);

-- Three months ahead, as the worker does later (`AHEAD` in kernel/base/db/schema/partitions.ts).
CALL make_months_until(month_number(now()) + 3);
