-- What all migrations together amount to, read from the catalog of a migrated database. To be read, not to be run or edited:
-- write a migration, then "node bin/rollcall.mjs run server/test/schema-drift.ts --write".

CREATE EXTENSION btree_gist;
CREATE EXTENSION pg_trgm;

CREATE ROLE rollcall_across NOLOGIN NOSUPERUSER NOBYPASSRLS;
CREATE ROLE rollcall_app NOLOGIN NOSUPERUSER NOBYPASSRLS;

CREATE OR REPLACE FUNCTION public.access_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public'
AS $function$
DECLARE
  changed text;
  next_epoch bigint;
BEGIN
  FOR changed IN
    SELECT DISTINCT row_of.it ->> TG_ARGV[1] FROM (VALUES (to_jsonb(OLD)), (to_jsonb(NEW))) row_of (it) WHERE row_of.it ->> TG_ARGV[1] IS NOT NULL
  LOOP
    UPDATE access_epoch SET value = value + 1 RETURNING value INTO next_epoch;
    INSERT INTO access_change (epoch, subject) VALUES (next_epoch, TG_ARGV[0] || ':' || changed);
  END LOOP;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.attendance_seats()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE event e SET attending_count = e.attending_count + d.delta
      FROM (SELECT provider_id, event_id, count(*)::int AS delta FROM new_rows WHERE holds_seat(status) GROUP BY 1, 2) d
      WHERE e.provider_id = d.provider_id AND e.id = d.event_id;
  ELSIF TG_OP = 'UPDATE' THEN
    UPDATE event e SET attending_count = e.attending_count + d.delta
      FROM (SELECT n.provider_id, n.event_id, sum(holds_seat(n.status)::int - holds_seat(o.status)::int)::int AS delta
            FROM new_rows n JOIN old_rows o USING (provider_id, id) GROUP BY 1, 2) d
      WHERE e.provider_id = d.provider_id AND e.id = d.event_id AND d.delta <> 0;
  ELSE
    UPDATE event e SET attending_count = e.attending_count - d.delta
      FROM (SELECT provider_id, event_id, count(*)::int AS delta FROM old_rows WHERE holds_seat(status) GROUP BY 1, 2) d
      WHERE e.provider_id = d.provider_id AND e.id = d.event_id;
  END IF;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.attendance_stays()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF NEW.event_id = OLD.event_id AND current_setting('rollcall.merging_customers', true) = 'on' THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'an attendance cannot change its event or customer' USING ERRCODE = 'integrity_constraint_violation';
END $function$;

CREATE OR REPLACE FUNCTION public.count_members(deltas jsonb)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF deltas IS NULL THEN
    RETURN;
  END IF;
  PERFORM FROM membership m JOIN jsonb_to_recordset(deltas) d (provider_id bigint, id bigint) ON m.provider_id = d.provider_id AND m.id = d.id
    ORDER BY m.provider_id, m.id FOR NO KEY UPDATE OF m;
  UPDATE membership m SET active_member_count = m.active_member_count + d.n
    FROM jsonb_to_recordset(deltas) d (provider_id bigint, id bigint, n integer) WHERE m.provider_id = d.provider_id AND m.id = d.id;
END $function$;

CREATE OR REPLACE FUNCTION public.count_rows()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO row_count AS c (provider_id, relation, slot, n)
      SELECT provider_id, TG_TABLE_NAME, pg_backend_pid() % 64, count(*) FROM new_rows GROUP BY provider_id
      ON CONFLICT (provider_id, relation, slot) DO UPDATE SET n = c.n + excluded.n;
  ELSE
    INSERT INTO row_count AS c (provider_id, relation, slot, n)
      SELECT provider_id, TG_TABLE_NAME, pg_backend_pid() % 64, -count(*) FROM old_rows GROUP BY provider_id
      ON CONFLICT (provider_id, relation, slot) DO UPDATE SET n = c.n + excluded.n;
  END IF;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.coverage_changes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  r record := coalesce(NEW, OLD);
BEGIN
  IF TG_TABLE_NAME = 'membership_limit_offering_type' THEN
    PERFORM keep_coverage(l.provider_id, l.membership_id) FROM membership_limit l WHERE l.provider_id = r.provider_id AND l.id = r.membership_limit_id;
  ELSE
    PERFORM keep_coverage(r.provider_id, r.membership_id);
  END IF;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.current_provider_id()
 RETURNS bigint
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (NULLIF(current_setting('rollcall.provider_id'::text, true), ''::text))::bigint;

CREATE OR REPLACE FUNCTION public.customer_begins()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF NEW.status_id IS NULL THEN
    NEW.status_id := (SELECT id FROM customer_status WHERE provider_id = NEW.provider_id AND is_default);
  END IF;
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION public.enqueue_job(task text, payload json, key text, run_at timestamp with time zone, urgency text DEFAULT 'usual'::text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
BEGIN
  PERFORM graphile_worker.add_job(task, payload, run_at := run_at, job_key := key, max_attempts := 25,
    queue_name := CASE WHEN urgency <> 'first' THEN 'business:' || (payload->>'provider_id') END,
    priority := CASE urgency WHEN 'first' THEN -1 WHEN 'last' THEN 1 ELSE 0 END);
END $function$;

CREATE OR REPLACE FUNCTION public.entitlement_given_back()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
BEGIN
  UPDATE entitlement_entry SET open = false WHERE provider_id = NEW.provider_id AND id = NEW.reverses_id;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.entitlement_stays()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION 'what the ledger says stays: add another entry' USING ERRCODE = 'integrity_constraint_violation';
END $function$;

CREATE OR REPLACE FUNCTION public.entitlement_used()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
DECLARE
  product bigint;
BEGIN
  SELECT membership_id INTO product FROM customer_membership
    WHERE provider_id = NEW.provider_id AND id = NEW.customer_membership_id FOR NO KEY UPDATE;
  IF EXISTS (
    SELECT FROM membership_limit l
    WHERE l.provider_id = NEW.provider_id AND l.membership_id = product AND l.period = 'total' AND (
      l.max_uses < (
        SELECT -coalesce(sum(e.amount), 0) FROM entitlement_entry e
        WHERE e.provider_id = NEW.provider_id AND e.customer_membership_id = NEW.customer_membership_id
          AND NOT EXISTS (SELECT FROM membership_limit_offering_type x WHERE x.provider_id = l.provider_id AND x.membership_limit_id = l.id
                AND x.offering_type_id = e.offering_type_id AND x.is_extra))
      OR EXISTS (
        SELECT FROM membership_limit_offering_type x
        WHERE x.provider_id = l.provider_id AND x.membership_limit_id = l.id AND x.max_uses < (
          SELECT -coalesce(sum(e.amount), 0) FROM entitlement_entry e
          WHERE e.provider_id = NEW.provider_id AND e.customer_membership_id = NEW.customer_membership_id AND e.offering_type_id = x.offering_type_id)))
  ) THEN
    RAISE EXCEPTION 'more uses than the membership has' USING ERRCODE = 'check_violation', CONSTRAINT = 'customer_membership_uses';
  END IF;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.entitlements_follow()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE entitlement_entry n SET event_starts_on = NEW.local_starts_at::date FROM attendance a
    WHERE a.provider_id = NEW.provider_id AND a.event_id = NEW.id AND n.provider_id = a.provider_id AND n.attendance_id = a.id AND n.open;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.event_instructor_follows()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  SELECT tstzrange(starts_at, ends_at), status = 'active' INTO NEW.during, NEW.active
    FROM event WHERE provider_id = NEW.provider_id AND id = NEW.event_id;
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION public.event_moved()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE event_instructor SET during = tstzrange(NEW.starts_at, NEW.ends_at), active = NEW.status = 'active'
    WHERE provider_id = NEW.provider_id AND event_id = NEW.id;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.evidence_stays()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION 'what somebody agreed to never changes' USING ERRCODE = 'check_violation';
END $function$;

CREATE OR REPLACE FUNCTION public.families_need_sharing()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  NEW.shared_with_families := false;
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION public.holds_seat(status text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (status = ANY (ARRAY['registered'::text, 'attended'::text, 'no_show'::text]));

CREATE OR REPLACE FUNCTION public.keep_coverage(business bigint, membership bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM FROM membership m WHERE m.provider_id = business AND m.id = keep_coverage.membership FOR NO KEY UPDATE;
  UPDATE membership m SET offering_types = x.offering_types, except_offering_types = x.except_offering_types, limits = x.limits
  FROM (
    WITH l AS (
      SELECT id, period, max_uses, roll_over FROM membership_limit WHERE provider_id = business AND membership_id = keep_coverage.membership
    ), own AS (
      SELECT x.* FROM l JOIN membership_limit_offering_type x ON x.provider_id = business AND x.membership_limit_id = l.id
    ), granted AS (
      SELECT offering_type_id FROM membership_registration_grant WHERE provider_id = business AND membership_id = keep_coverage.membership
    ), named AS (
      -- Where a period leaves no use at all, only what it names has any.
      SELECT offering_type_id FROM granted
      UNION SELECT offering_type_id FROM own WHERE NOT EXISTS (SELECT FROM granted)
    )
    SELECT CASE WHEN EXISTS (SELECT FROM granted) OR EXISTS (SELECT FROM l WHERE max_uses = 0) THEN ARRAY(
        SELECT n.offering_type_id FROM named n WHERE NOT EXISTS (
          SELECT FROM l LEFT JOIN own ON own.membership_limit_id = l.id AND own.offering_type_id = n.offering_type_id WHERE coalesce(own.max_uses, l.max_uses) = 0)
        ORDER BY 1) END AS offering_types,
      ARRAY(SELECT DISTINCT offering_type_id FROM own WHERE max_uses = 0 ORDER BY 1) AS except_offering_types,
      coalesce((
        SELECT jsonb_agg(jsonb_build_object('period', l.period, 'maxUses', l.max_uses, 'rollOver', l.roll_over, 'offeringTypes', coalesce((
            SELECT jsonb_agg(jsonb_build_object('offeringType', own.offering_type_id, 'maxUses', own.max_uses, 'isExtra', own.is_extra) ORDER BY own.offering_type_id)
            FROM own WHERE own.membership_limit_id = l.id), '[]'::jsonb))
          ORDER BY array_position(ARRAY['day', 'week', 'month', 'billing_period', 'total'], l.period))
        FROM l), '[]'::jsonb) AS limits) x
  WHERE m.provider_id = business AND m.id = keep_coverage.membership
    AND (m.offering_types, m.except_offering_types, m.limits) IS DISTINCT FROM (x.offering_types, x.except_offering_types, x.limits);
END $function$;

CREATE OR REPLACE FUNCTION public.members_deleted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM count_members((SELECT jsonb_agg(d) FROM (
    SELECT provider_id, membership_id AS id, -count(*) AS n FROM old_rows WHERE status IN ('active', 'hold') GROUP BY 1, 2) d));
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.members_inserted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM count_members((SELECT jsonb_agg(d) FROM (
    SELECT provider_id, membership_id AS id, count(*) AS n FROM new_rows WHERE status IN ('active', 'hold') GROUP BY 1, 2) d));
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.members_updated()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM count_members((SELECT jsonb_agg(d) FROM (
    SELECT provider_id, membership_id AS id, sum(n) AS n FROM (
      SELECT provider_id, membership_id, 1 AS n FROM new_rows WHERE status IN ('active', 'hold')
      UNION ALL SELECT provider_id, membership_id, -1 FROM old_rows WHERE status IN ('active', 'hold')) x
    GROUP BY 1, 2 HAVING sum(n) <> 0) d));
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.membership_adjustment_stays()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION 'an adjustment stays as it was decided: void it and add another one' USING ERRCODE = 'integrity_constraint_violation';
END $function$;

CREATE OR REPLACE FUNCTION public.note_profile_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  NEW.profile_changed_at := now();
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION public.period_keeps_price()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  NEW.period_price_minor := coalesce(OLD.period_price_minor, OLD.billed_price_minor);
  RETURN NEW;
END $function$;

CREATE OR REPLACE PROCEDURE public.protect(IN tbl regclass)
 LANGUAGE plpgsql
AS $procedure$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', tbl);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', tbl);
  EXECUTE format('CREATE POLICY tenant ON %s TO rollcall_app USING (provider_id = current_provider_id())', tbl);
  EXECUTE format('CREATE POLICY across ON %s TO rollcall_across USING (true)', tbl);
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO rollcall_app, rollcall_across', tbl);
END $procedure$;

CREATE OR REPLACE FUNCTION public.provider_currency_stays()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION 'the currency of a business stays: its amounts are whole minor units of it' USING ERRCODE = 'check_violation';
END $function$;

CREATE OR REPLACE FUNCTION public.share_from_now_on()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  with_families boolean;
BEGIN
  SELECT m.shared_with_families INTO with_families FROM membership m WHERE m.provider_id = NEW.provider_id AND m.id = NEW.membership_id FOR KEY SHARE;
  NEW.shared_with_family := NEW.shared_with_family OR coalesce(with_families, false);
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION public.staff_venues_exist()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF EXISTS (SELECT FROM unnest(NEW.venue_ids) AS named (id)
             WHERE NOT EXISTS (SELECT FROM venue v WHERE v.provider_id = NEW.provider_id AND v.id = named.id)) THEN
    RAISE EXCEPTION 'a staff member is limited to venues of the own business' USING ERRCODE = 'foreign_key_violation', CONSTRAINT = 'staff_venues_exist';
  END IF;
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION public.waitlist_seats()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE event e SET held_count = e.held_count + d.held, waiting_count = e.waiting_count + d.waiting
    FROM (
      SELECT provider_id, event_id, sum(sign * (status = 'spot_reserved')::int)::int AS held, sum(sign * (status = 'on_waitlist')::int)::int AS waiting
      FROM (
        SELECT provider_id, event_id, status, 1 AS sign FROM new_rows WHERE ended_at IS NULL
        UNION ALL
        SELECT provider_id, event_id, status, -1 FROM old_rows WHERE ended_at IS NULL
      ) changes GROUP BY 1, 2
    ) d
    WHERE e.provider_id = d.provider_id AND e.id = d.event_id AND (d.held <> 0 OR d.waiting <> 0);
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.waitlist_seats_delete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE event e SET held_count = e.held_count - d.held, waiting_count = e.waiting_count - d.waiting
    FROM (SELECT provider_id, event_id, count(*) FILTER (WHERE status = 'spot_reserved')::int AS held,
                 count(*) FILTER (WHERE status = 'on_waitlist')::int AS waiting
          FROM old_rows WHERE ended_at IS NULL GROUP BY 1, 2) d
    WHERE e.provider_id = d.provider_id AND e.id = d.event_id;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.waitlist_seats_insert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE event e SET held_count = e.held_count + d.held, waiting_count = e.waiting_count + d.waiting
    FROM (SELECT provider_id, event_id, count(*) FILTER (WHERE status = 'spot_reserved')::int AS held,
                 count(*) FILTER (WHERE status = 'on_waitlist')::int AS waiting
          FROM new_rows WHERE ended_at IS NULL GROUP BY 1, 2) d
    WHERE e.provider_id = d.provider_id AND e.id = d.event_id;
  RETURN NULL;
END $function$;

CREATE OR REPLACE PROCEDURE public.watch_access(IN tbl regclass, IN prefix text, IN id_column text, IN columns text[])
 LANGUAGE plpgsql
AS $procedure$
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
      'CREATE CONSTRAINT TRIGGER %I AFTER %s ON %s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%s) EXECUTE FUNCTION access_changed(%L, %L)',
      'access_' || lower(kind.event), kind.event, tbl, kind.condition, prefix, id_column);
  END LOOP;
END $procedure$;

CREATE TABLE access_change (
  epoch bigint NOT NULL,
  subject text NOT NULL,
  at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT access_change_pkey PRIMARY KEY (epoch)
);
CREATE INDEX access_change_at ON public.access_change USING btree (at);
GRANT DELETE, SELECT ON TABLE access_change TO rollcall_across;
GRANT SELECT ON TABLE access_change TO rollcall_app;

CREATE TABLE access_epoch (
  one boolean DEFAULT true NOT NULL,
  value bigint NOT NULL,
  CONSTRAINT access_epoch_pkey PRIMARY KEY (one),
  CONSTRAINT access_epoch_one_check CHECK (one)
);
GRANT SELECT ON TABLE access_epoch TO rollcall_across;
GRANT SELECT ON TABLE access_epoch TO rollcall_app;

CREATE TABLE account_ticket (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  kind text NOT NULL,
  secret_hash bytea NOT NULL,
  user_id bigint,
  provider_id bigint NOT NULL,
  email text NOT NULL,
  staff_id bigint,
  customer_id bigint,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  used_at timestamp with time zone,
  CONSTRAINT account_ticket_pkey PRIMARY KEY (id),
  CONSTRAINT account_ticket_secret_hash_key UNIQUE (secret_hash),
  CONSTRAINT account_ticket_provider_id_customer_id_fkey FOREIGN KEY (provider_id, customer_id) REFERENCES customer(provider_id, id) ON DELETE CASCADE,
  CONSTRAINT account_ticket_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT account_ticket_provider_id_staff_id_fkey FOREIGN KEY (provider_id, staff_id) REFERENCES staff(provider_id, id),
  CONSTRAINT account_ticket_user_id_fkey FOREIGN KEY (user_id) REFERENCES user_account(id) ON DELETE CASCADE,
  CONSTRAINT account_ticket_check CHECK (((kind = 'invitation'::text) = (user_id IS NULL))),
  CONSTRAINT account_ticket_check1 CHECK (((kind = 'invitation'::text) = (num_nonnulls(staff_id, customer_id) = 1))),
  CONSTRAINT account_ticket_email_check CHECK ((length(email) <= 254)),
  CONSTRAINT account_ticket_kind_check CHECK ((kind = ANY (ARRAY['confirm_email'::text, 'reset_password'::text, 'change_email'::text, 'stop_email_change'::text, 'invitation'::text, 'pending_log_in'::text, 'verification_code'::text])))
);
CREATE INDEX account_ticket_expiry ON public.account_ticket USING btree (expires_at);
CREATE INDEX account_ticket_invitation ON public.account_ticket USING btree (provider_id, staff_id, customer_id) WHERE (kind = 'invitation'::text);
CREATE INDEX account_ticket_user ON public.account_ticket USING btree (user_id, kind, created_at);
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE account_ticket TO rollcall_across;

CREATE TABLE app_authorization (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  application_id bigint NOT NULL,
  user_id bigint NOT NULL,
  scopes text[] NOT NULL,
  provider_ids bigint[],
  second_factor boolean DEFAULT false NOT NULL,
  oidc_grant_id text,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  last_used_at timestamp with time zone,
  expires_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone,
  end_reason text,
  CONSTRAINT app_authorization_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT app_authorization_provider_id_application_id_fkey FOREIGN KEY (provider_id, application_id) REFERENCES application(provider_id, id),
  CONSTRAINT app_authorization_user_id_fkey FOREIGN KEY (user_id) REFERENCES user_account(id) ON DELETE CASCADE,
  CONSTRAINT app_authorization_end_reason_check CHECK ((end_reason = ANY (ARRAY['disconnected'::text, 'code_replayed'::text, 'refresh_replayed'::text, 'password_changed'::text, 'revoked'::text, 'expired'::text])))
);
CREATE INDEX app_authorization_account ON public.app_authorization USING btree (user_id);
CREATE INDEX app_authorization_application ON public.app_authorization USING btree (provider_id, application_id);
CREATE INDEX app_authorization_grant ON public.app_authorization USING btree (oidc_grant_id) WHERE (oidc_grant_id IS NOT NULL);
CREATE INDEX app_authorization_id ON public.app_authorization USING btree (id);
CREATE CONSTRAINT TRIGGER access_delete AFTER DELETE ON public.app_authorization DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((old.id IS NOT NULL)) EXECUTE FUNCTION access_changed('authorization', 'id');
CREATE CONSTRAINT TRIGGER access_insert AFTER INSERT ON public.app_authorization DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.id IS NOT NULL)) EXECUTE FUNCTION access_changed('authorization', 'id');
CREATE CONSTRAINT TRIGGER access_update AFTER UPDATE ON public.app_authorization DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((((old.id IS NOT NULL) OR (new.id IS NOT NULL)) AND ((old.ended_at IS DISTINCT FROM new.ended_at) OR (old.expires_at IS DISTINCT FROM new.expires_at)))) EXECUTE FUNCTION access_changed('authorization', 'id');
CREATE POLICY across ON app_authorization FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON app_authorization FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE app_authorization TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE app_authorization TO rollcall_app;
ALTER TABLE app_authorization ENABLE ROW LEVEL SECURITY;
ALTER TABLE app_authorization FORCE ROW LEVEL SECURITY;

CREATE TABLE app_consent (
  provider_id bigint NOT NULL,
  application_id bigint NOT NULL,
  user_id bigint NOT NULL,
  scopes text[] NOT NULL,
  given_at timestamp with time zone NOT NULL,
  CONSTRAINT app_consent_pkey PRIMARY KEY (provider_id, application_id, user_id),
  CONSTRAINT app_consent_provider_id_application_id_fkey FOREIGN KEY (provider_id, application_id) REFERENCES application(provider_id, id),
  CONSTRAINT app_consent_user_id_fkey FOREIGN KEY (user_id) REFERENCES user_account(id) ON DELETE CASCADE
);
CREATE INDEX app_consent_user ON public.app_consent USING btree (user_id);
CREATE POLICY across ON app_consent FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON app_consent FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE app_consent TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE app_consent TO rollcall_app;
ALTER TABLE app_consent ENABLE ROW LEVEL SECURITY;
ALTER TABLE app_consent FORCE ROW LEVEL SECURITY;

CREATE TABLE application (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  name text NOT NULL,
  domain text,
  scopes text[] NOT NULL,
  allowed_callback_urls text[] DEFAULT '{}'::text[] NOT NULL,
  client_id text NOT NULL,
  is_public boolean DEFAULT false NOT NULL,
  first_party boolean DEFAULT false NOT NULL,
  installation_wide boolean DEFAULT false NOT NULL,
  direct_auth_status text DEFAULT 'none'::text NOT NULL,
  direct_auth_use_case text,
  direct_auth_reason text,
  direct_auth_decided_at timestamp with time zone,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  deleted_at timestamp with time zone,
  CONSTRAINT application_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT application_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT application_direct_auth_reason_check CHECK ((length(direct_auth_reason) <= 1000)),
  CONSTRAINT application_direct_auth_status_check CHECK ((direct_auth_status = ANY (ARRAY['none'::text, 'requested'::text, 'approved'::text, 'refused'::text]))),
  CONSTRAINT application_direct_auth_use_case_check CHECK ((length(direct_auth_use_case) <= 5000)),
  CONSTRAINT application_domain_check CHECK ((length(domain) <= 255)),
  CONSTRAINT application_name_check CHECK (((length(name) >= 1) AND (length(name) <= 255))),
  CONSTRAINT application_scopes_check CHECK ((scopes <@ ARRAY['read'::text, 'read_write'::text]))
);
CREATE UNIQUE INDEX application_client_id ON public.application USING btree (client_id);
CREATE CONSTRAINT TRIGGER access_delete AFTER DELETE ON public.application DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((old.id IS NOT NULL)) EXECUTE FUNCTION access_changed('application', 'id');
CREATE CONSTRAINT TRIGGER access_insert AFTER INSERT ON public.application DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.id IS NOT NULL)) EXECUTE FUNCTION access_changed('application', 'id');
CREATE CONSTRAINT TRIGGER access_update AFTER UPDATE ON public.application DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((((old.id IS NOT NULL) OR (new.id IS NOT NULL)) AND ((old.deleted_at IS DISTINCT FROM new.deleted_at) OR (old.installation_wide IS DISTINCT FROM new.installation_wide) OR (old.first_party IS DISTINCT FROM new.first_party) OR (old.scopes IS DISTINCT FROM new.scopes) OR (old.direct_auth_status IS DISTINCT FROM new.direct_auth_status) OR (old.allowed_callback_urls IS DISTINCT FROM new.allowed_callback_urls) OR (old.is_public IS DISTINCT FROM new.is_public) OR (old.name IS DISTINCT FROM new.name)))) EXECUTE FUNCTION access_changed('application', 'id');
CREATE POLICY across ON application FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON application FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE application TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE application TO rollcall_app;
ALTER TABLE application ENABLE ROW LEVEL SECURITY;
ALTER TABLE application FORCE ROW LEVEL SECURITY;

CREATE TABLE application_secret (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  application_id bigint NOT NULL,
  kind text NOT NULL,
  secret_hash bytea NOT NULL,
  secret_hint text NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  expires_at timestamp with time zone,
  CONSTRAINT application_secret_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT application_secret_provider_id_application_id_fkey FOREIGN KEY (provider_id, application_id) REFERENCES application(provider_id, id),
  CONSTRAINT application_secret_kind_check CHECK ((kind = ANY (ARRAY['client'::text, 'direct_auth'::text])))
);
CREATE UNIQUE INDEX application_secret_hash ON public.application_secret USING btree (secret_hash);
CREATE INDEX application_secret_of ON public.application_secret USING btree (provider_id, application_id, kind);
CREATE CONSTRAINT TRIGGER access_delete AFTER DELETE ON public.application_secret DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((old.application_id IS NOT NULL)) EXECUTE FUNCTION access_changed('application', 'application_id');
CREATE CONSTRAINT TRIGGER access_insert AFTER INSERT ON public.application_secret DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.application_id IS NOT NULL)) EXECUTE FUNCTION access_changed('application', 'application_id');
CREATE CONSTRAINT TRIGGER access_update AFTER UPDATE ON public.application_secret DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((((old.application_id IS NOT NULL) OR (new.application_id IS NOT NULL)) AND (old.expires_at IS DISTINCT FROM new.expires_at))) EXECUTE FUNCTION access_changed('application', 'application_id');
CREATE POLICY across ON application_secret FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON application_secret FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE application_secret TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE application_secret TO rollcall_app;
ALTER TABLE application_secret ENABLE ROW LEVEL SECURITY;
ALTER TABLE application_secret FORCE ROW LEVEL SECURITY;

CREATE TABLE attempt_throttle (
  key_hash bytea NOT NULL,
  failures integer NOT NULL,
  blocked_until timestamp with time zone NOT NULL,
  last_at timestamp with time zone NOT NULL,
  CONSTRAINT attempt_throttle_pkey PRIMARY KEY (key_hash)
) WITH (fillfactor=50);
CREATE INDEX attempt_throttle_age ON public.attempt_throttle USING btree (last_at);
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE attempt_throttle TO rollcall_across;

CREATE TABLE attendance (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  event_id bigint NOT NULL,
  customer_id bigint NOT NULL,
  status text NOT NULL,
  comped boolean DEFAULT false NOT NULL,
  registered_at timestamp with time zone,
  cancelled_at timestamp with time zone,
  attended_at timestamp with time zone,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  booking_application_id bigint,
  booking_application_name text,
  CONSTRAINT attendance_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT attendance_provider_id_event_id_customer_id_key UNIQUE (provider_id, event_id, customer_id),
  CONSTRAINT attendance_provider_id_customer_id_fkey FOREIGN KEY (provider_id, customer_id) REFERENCES customer(provider_id, id),
  CONSTRAINT attendance_provider_id_event_id_fkey FOREIGN KEY (provider_id, event_id) REFERENCES event(provider_id, id),
  CONSTRAINT attendance_booking_application_name_check CHECK ((length(booking_application_name) <= 255)),
  CONSTRAINT attendance_check CHECK (((booking_application_id IS NULL) = (booking_application_name IS NULL))),
  CONSTRAINT attendance_status_check CHECK ((status = ANY (ARRAY['not_registered'::text, 'registered'::text, 'attended'::text, 'no_show'::text, 'late_cancelled'::text])))
);
CREATE INDEX attendance_customer ON public.attendance USING btree (provider_id, customer_id, id);
CREATE TRIGGER attendance_seats_delete AFTER DELETE ON public.attendance REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION attendance_seats();
CREATE TRIGGER attendance_seats_insert AFTER INSERT ON public.attendance REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION attendance_seats();
CREATE TRIGGER attendance_seats_update AFTER UPDATE ON public.attendance REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION attendance_seats();
CREATE TRIGGER attendance_stays BEFORE UPDATE OF event_id, customer_id ON public.attendance FOR EACH ROW WHEN (((new.event_id <> old.event_id) OR (new.customer_id <> old.customer_id))) EXECUTE FUNCTION attendance_stays();
CREATE TRIGGER count_rows_delete AFTER DELETE ON public.attendance REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_rows_insert AFTER INSERT ON public.attendance REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE POLICY across ON attendance FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON attendance FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE attendance TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE attendance TO rollcall_app;
ALTER TABLE attendance ENABLE ROW LEVEL SECURITY;
ALTER TABLE attendance FORCE ROW LEVEL SECURITY;

CREATE TABLE audit_entry (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  at timestamp with time zone NOT NULL,
  request_id text NOT NULL,
  actor text NOT NULL,
  mode text NOT NULL,
  action text NOT NULL,
  object text NOT NULL,
  object_id bigint,
  before jsonb,
  after jsonb,
  user_id bigint,
  application_id bigint,
  CONSTRAINT audit_entry_pkey PRIMARY KEY (provider_id, id)
);
CREATE INDEX audit_entry_action ON public.audit_entry USING btree (provider_id, action, id);
CREATE INDEX audit_entry_actor ON public.audit_entry USING btree (provider_id, actor, id);
CREATE INDEX audit_entry_application ON public.audit_entry USING btree (provider_id, application_id, id) WHERE (application_id IS NOT NULL);
CREATE INDEX audit_entry_at ON public.audit_entry USING brin (at) WITH (pages_per_range='32', autosummarize='on');
CREATE INDEX audit_entry_object ON public.audit_entry USING btree (provider_id, object, object_id, id);
CREATE INDEX audit_entry_request ON public.audit_entry USING btree (provider_id, request_id);
CREATE INDEX audit_entry_user ON public.audit_entry USING btree (provider_id, user_id, id) WHERE (user_id IS NOT NULL);
CREATE POLICY across ON audit_entry FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON audit_entry FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE audit_entry TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE audit_entry TO rollcall_app;
ALTER TABLE audit_entry ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_entry FORCE ROW LEVEL SECURITY;

CREATE TABLE broadcast_exclusion (
  provider_id bigint NOT NULL,
  broadcast_message_id bigint NOT NULL,
  customer_id bigint NOT NULL,
  reason text NOT NULL,
  CONSTRAINT broadcast_exclusion_pkey PRIMARY KEY (provider_id, broadcast_message_id, customer_id),
  CONSTRAINT broadcast_exclusion_provider_id_broadcast_message_id_fkey FOREIGN KEY (provider_id, broadcast_message_id) REFERENCES broadcast_message(provider_id, id),
  CONSTRAINT broadcast_exclusion_provider_id_customer_id_fkey FOREIGN KEY (provider_id, customer_id) REFERENCES customer(provider_id, id),
  CONSTRAINT broadcast_exclusion_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT broadcast_exclusion_reason_check CHECK ((reason ~ '^[a-z_]{1,40}$'::text))
);
CREATE INDEX broadcast_exclusion_customer ON public.broadcast_exclusion USING btree (provider_id, customer_id);
CREATE POLICY across ON broadcast_exclusion FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON broadcast_exclusion FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE broadcast_exclusion TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE broadcast_exclusion TO rollcall_app;
ALTER TABLE broadcast_exclusion ENABLE ROW LEVEL SECURITY;
ALTER TABLE broadcast_exclusion FORCE ROW LEVEL SECURITY;

CREATE TABLE broadcast_message (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  channel text NOT NULL,
  use_case text NOT NULL,
  subject text,
  message text NOT NULL,
  html text,
  target_recipients jsonb NOT NULL,
  defer_at timestamp with time zone,
  defer_local timestamp without time zone,
  status text DEFAULT 'draft'::text NOT NULL,
  sent_by_id bigint,
  scheduled_at timestamp with time zone,
  sent_at timestamp with time zone,
  cancelled_at timestamp with time zone,
  failure text,
  recipient_counts jsonb NOT NULL,
  counted_at timestamp with time zone NOT NULL,
  next_at timestamp with time zone,
  written_to bigint DEFAULT 0 NOT NULL,
  written boolean DEFAULT false NOT NULL,
  quota_period date,
  quota_taken integer DEFAULT 0 NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT broadcast_message_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT broadcast_message_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT broadcast_message_provider_id_sent_by_id_fkey FOREIGN KEY (provider_id, sent_by_id) REFERENCES staff(provider_id, id),
  CONSTRAINT broadcast_message_channel_check CHECK ((channel = ANY (ARRAY['email'::text, 'sms'::text]))),
  CONSTRAINT broadcast_message_check CHECK ((num_nonnulls(defer_at, defer_local) <= 1)),
  CONSTRAINT broadcast_message_check1 CHECK (((next_at IS NOT NULL) = (status = ANY (ARRAY['scheduled'::text, 'sending'::text])))),
  CONSTRAINT broadcast_message_check2 CHECK (((sent_at IS NOT NULL) = (status = 'sent'::text))),
  CONSTRAINT broadcast_message_check3 CHECK (((cancelled_at IS NOT NULL) = (status = 'cancelled'::text))),
  CONSTRAINT broadcast_message_failure_check CHECK ((length(failure) <= 500)),
  CONSTRAINT broadcast_message_html_check CHECK ((length(html) <= 100000)),
  CONSTRAINT broadcast_message_message_check CHECK ((length(message) <= 20000)),
  CONSTRAINT broadcast_message_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'scheduled'::text, 'sending'::text, 'sent'::text, 'cancelled'::text]))),
  CONSTRAINT broadcast_message_subject_check CHECK ((length(subject) <= 300)),
  CONSTRAINT broadcast_message_use_case_check CHECK ((use_case = ANY (ARRAY['marketing'::text, 'general'::text])))
);
CREATE INDEX broadcast_message_due ON public.broadcast_message USING btree (next_at) WHERE (next_at IS NOT NULL);
CREATE POLICY across ON broadcast_message FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON broadcast_message FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE broadcast_message TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE broadcast_message TO rollcall_app;
ALTER TABLE broadcast_message ENABLE ROW LEVEL SECURITY;
ALTER TABLE broadcast_message FORCE ROW LEVEL SECURITY;

CREATE TABLE bulk_action (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  type text NOT NULL,
  job_id bigint NOT NULL,
  parameters jsonb DEFAULT '{}'::jsonb NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  venue_ids bigint[] DEFAULT '{}'::bigint[] NOT NULL,
  CONSTRAINT bulk_action_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT bulk_action_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT bulk_action_provider_id_job_id_fkey FOREIGN KEY (provider_id, job_id) REFERENCES job(provider_id, id),
  CONSTRAINT bulk_action_type_check CHECK ((length(type) <= 128))
);
CREATE POLICY across ON bulk_action FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON bulk_action FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE bulk_action TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE bulk_action TO rollcall_app;
ALTER TABLE bulk_action ENABLE ROW LEVEL SECURITY;
ALTER TABLE bulk_action FORCE ROW LEVEL SECURITY;

CREATE TABLE bulk_action_result (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  bulk_action_id bigint NOT NULL,
  primary_object bigint NOT NULL,
  status text DEFAULT 'pending'::text NOT NULL,
  error_message text,
  CONSTRAINT bulk_action_result_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT bulk_action_result_provider_id_bulk_action_id_primary_objec_key UNIQUE (provider_id, bulk_action_id, primary_object),
  CONSTRAINT bulk_action_result_provider_id_bulk_action_id_fkey FOREIGN KEY (provider_id, bulk_action_id) REFERENCES bulk_action(provider_id, id),
  CONSTRAINT bulk_action_result_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT bulk_action_result_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'success'::text, 'error'::text])))
);
CREATE INDEX bulk_action_result_object ON public.bulk_action_result USING btree (provider_id, primary_object, bulk_action_id);
CREATE POLICY across ON bulk_action_result FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON bulk_action_result FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE bulk_action_result TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE bulk_action_result TO rollcall_app;
ALTER TABLE bulk_action_result ENABLE ROW LEVEL SECURITY;
ALTER TABLE bulk_action_result FORCE ROW LEVEL SECURITY;

CREATE TABLE calendar_entry (
  provider_id bigint NOT NULL,
  event_id bigint NOT NULL,
  customer_id bigint NOT NULL,
  sequence integer DEFAULT 0 NOT NULL,
  CONSTRAINT calendar_entry_pkey PRIMARY KEY (provider_id, event_id, customer_id),
  CONSTRAINT calendar_entry_provider_id_customer_id_fkey FOREIGN KEY (provider_id, customer_id) REFERENCES customer(provider_id, id),
  CONSTRAINT calendar_entry_provider_id_event_id_fkey FOREIGN KEY (provider_id, event_id) REFERENCES event(provider_id, id)
);
CREATE POLICY across ON calendar_entry FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON calendar_entry FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE calendar_entry TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE calendar_entry TO rollcall_app;
ALTER TABLE calendar_entry ENABLE ROW LEVEL SECURITY;
ALTER TABLE calendar_entry FORCE ROW LEVEL SECURITY;

CREATE TABLE checkin (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  customer_id bigint NOT NULL,
  venue_id bigint NOT NULL,
  checkin_date date NOT NULL,
  comped boolean DEFAULT false NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  customer_membership_id bigint,
  CONSTRAINT checkin_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT checkin_provider_id_customer_id_checkin_date_venue_id_key UNIQUE (provider_id, customer_id, checkin_date, venue_id),
  CONSTRAINT checkin_provider_id_customer_id_fkey FOREIGN KEY (provider_id, customer_id) REFERENCES customer(provider_id, id),
  CONSTRAINT checkin_provider_id_customer_membership_id_fkey FOREIGN KEY (provider_id, customer_membership_id) REFERENCES customer_membership(provider_id, id),
  CONSTRAINT checkin_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT checkin_provider_id_venue_id_fkey FOREIGN KEY (provider_id, venue_id) REFERENCES venue(provider_id, id)
);
CREATE INDEX checkin_membership ON public.checkin USING btree (provider_id, customer_membership_id) WHERE (customer_membership_id IS NOT NULL);
CREATE POLICY across ON checkin FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON checkin FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE checkin TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE checkin TO rollcall_app;
ALTER TABLE checkin ENABLE ROW LEVEL SECURITY;
ALTER TABLE checkin FORCE ROW LEVEL SECURITY;

CREATE TABLE communication_settings (
  provider_id bigint NOT NULL,
  sms_quiet_hours_start time without time zone DEFAULT '21:00:00'::time without time zone,
  sms_quiet_hours_end time without time zone DEFAULT '08:00:00'::time without time zone,
  reminder_hours integer DEFAULT 24 NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT communication_settings_pkey PRIMARY KEY (provider_id),
  CONSTRAINT communication_settings_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT communication_settings_check CHECK (((sms_quiet_hours_start IS NULL) = (sms_quiet_hours_end IS NULL))),
  CONSTRAINT communication_settings_reminder_hours_check CHECK (((reminder_hours >= 1) AND (reminder_hours <= 336)))
);
CREATE POLICY across ON communication_settings FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON communication_settings FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE communication_settings TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE communication_settings TO rollcall_app;
ALTER TABLE communication_settings ENABLE ROW LEVEL SECURITY;
ALTER TABLE communication_settings FORCE ROW LEVEL SECURITY;

CREATE TABLE consent_change (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  customer_id bigint NOT NULL,
  channel text NOT NULL,
  granted boolean NOT NULL,
  how text NOT NULL,
  actor text,
  at timestamp with time zone NOT NULL,
  CONSTRAINT consent_change_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT consent_change_provider_id_customer_id_fkey FOREIGN KEY (provider_id, customer_id) REFERENCES customer(provider_id, id),
  CONSTRAINT consent_change_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT consent_change_channel_check CHECK ((channel = ANY (ARRAY['email'::text, 'sms'::text]))),
  CONSTRAINT consent_change_how_check CHECK ((how = ANY (ARRAY['customer'::text, 'staff'::text, 'program'::text, 'sign_up'::text, 'unsubscribe_link'::text, 'recorded'::text])))
);
CREATE INDEX consent_change_customer ON public.consent_change USING btree (provider_id, customer_id, channel, id);
CREATE POLICY across ON consent_change FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON consent_change FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE consent_change TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE consent_change TO rollcall_app;
ALTER TABLE consent_change ENABLE ROW LEVEL SECURITY;
ALTER TABLE consent_change FORCE ROW LEVEL SECURITY;

CREATE TABLE crm_day (
  provider_id bigint NOT NULL,
  day date NOT NULL,
  CONSTRAINT crm_day_pkey PRIMARY KEY (provider_id),
  CONSTRAINT crm_day_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id)
);
CREATE POLICY across ON crm_day FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON crm_day FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE crm_day TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE crm_day TO rollcall_app;
ALTER TABLE crm_day ENABLE ROW LEVEL SECURITY;
ALTER TABLE crm_day FORCE ROW LEVEL SECURITY;

CREATE TABLE customer (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  user_id bigint,
  email text,
  first_name text,
  last_name text,
  date_of_birth date,
  visibility text DEFAULT 'visible'::text NOT NULL,
  participating boolean DEFAULT true NOT NULL,
  is_lead boolean DEFAULT false NOT NULL,
  family_id bigint,
  family_role text,
  venue_id bigint,
  referral_code text DEFAULT upper(substr(md5((gen_random_uuid())::text), 1, 10)) NOT NULL,
  is_opted_into_broadcast_messages boolean DEFAULT false NOT NULL,
  is_opted_into_sms_marketing boolean DEFAULT false NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  deleted_at timestamp with time zone,
  search_text text GENERATED ALWAYS AS (lower(((((COALESCE(first_name, ''::text) || ' '::text) || COALESCE(last_name, ''::text)) || ' '::text) || COALESCE(email, ''::text)))) STORED,
  status_id bigint,
  is_status_locked boolean DEFAULT false NOT NULL,
  referred_by_code text,
  CONSTRAINT customer_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT customer_provider_id_referral_code_key UNIQUE (provider_id, referral_code),
  CONSTRAINT customer_provider_id_family_id_fkey FOREIGN KEY (provider_id, family_id) REFERENCES family(provider_id, id),
  CONSTRAINT customer_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT customer_provider_id_venue_id_fkey FOREIGN KEY (provider_id, venue_id) REFERENCES venue(provider_id, id),
  CONSTRAINT customer_status_fkey FOREIGN KEY (provider_id, status_id) REFERENCES customer_status(provider_id, id),
  CONSTRAINT customer_user_id_fkey FOREIGN KEY (user_id) REFERENCES user_account(id),
  CONSTRAINT customer_check CHECK (((family_id IS NULL) = (family_role IS NULL))),
  CONSTRAINT customer_email_check CHECK (((length(email) >= 3) AND (length(email) <= 254))),
  CONSTRAINT customer_family_role_check CHECK ((family_role = ANY (ARRAY['manager'::text, 'child'::text]))),
  CONSTRAINT customer_first_name_check CHECK ((length(first_name) <= 256)),
  CONSTRAINT customer_last_name_check CHECK ((length(last_name) <= 256)),
  CONSTRAINT customer_referred_by_code_check CHECK ((length(referred_by_code) <= 100)),
  CONSTRAINT customer_visibility_check CHECK ((visibility = ANY (ARRAY['visible'::text, 'hidden'::text])))
);
CREATE INDEX customer_account ON public.customer USING btree (user_id) WHERE (user_id IS NOT NULL);
CREATE UNIQUE INDEX customer_email ON public.customer USING btree (provider_id, lower(email)) WHERE (deleted_at IS NULL);
CREATE INDEX customer_family ON public.customer USING btree (provider_id, family_id) WHERE (family_id IS NOT NULL);
CREATE INDEX customer_listed ON public.customer USING btree (provider_id, id) WHERE (deleted_at IS NULL);
CREATE INDEX customer_of_status ON public.customer USING btree (provider_id, status_id);
CREATE INDEX customer_search ON public.customer USING gin (search_text gin_trgm_ops);
CREATE UNIQUE INDEX customer_user ON public.customer USING btree (provider_id, user_id) WHERE ((user_id IS NOT NULL) AND (deleted_at IS NULL));
CREATE CONSTRAINT TRIGGER access_delete AFTER DELETE ON public.customer DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((old.user_id IS NOT NULL)) EXECUTE FUNCTION access_changed('user', 'user_id');
CREATE CONSTRAINT TRIGGER access_insert AFTER INSERT ON public.customer DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.user_id IS NOT NULL)) EXECUTE FUNCTION access_changed('user', 'user_id');
CREATE CONSTRAINT TRIGGER access_update AFTER UPDATE ON public.customer DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((((old.user_id IS NOT NULL) OR (new.user_id IS NOT NULL)) AND ((old.user_id IS DISTINCT FROM new.user_id) OR (old.deleted_at IS DISTINCT FROM new.deleted_at)))) EXECUTE FUNCTION access_changed('user', 'user_id');
CREATE TRIGGER customer_begins BEFORE INSERT ON public.customer FOR EACH ROW EXECUTE FUNCTION customer_begins();
CREATE POLICY across ON customer FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON customer FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE customer TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE customer TO rollcall_app;
ALTER TABLE customer ENABLE ROW LEVEL SECURITY;
ALTER TABLE customer FORCE ROW LEVEL SECURITY;

CREATE TABLE customer_invitation (
  provider_id bigint NOT NULL,
  customer_id bigint NOT NULL,
  note text,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  sent_at timestamp with time zone,
  CONSTRAINT customer_invitation_pkey PRIMARY KEY (provider_id, customer_id),
  CONSTRAINT customer_invitation_provider_id_customer_id_fkey FOREIGN KEY (provider_id, customer_id) REFERENCES customer(provider_id, id),
  CONSTRAINT customer_invitation_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id)
);
CREATE POLICY across ON customer_invitation FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON customer_invitation FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE customer_invitation TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE customer_invitation TO rollcall_app;
ALTER TABLE customer_invitation ENABLE ROW LEVEL SECURITY;
ALTER TABLE customer_invitation FORCE ROW LEVEL SECURITY;

CREATE TABLE customer_label (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  name text NOT NULL,
  slug text NOT NULL,
  color text DEFAULT '#808080'::text NOT NULL,
  archived boolean DEFAULT false NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT customer_label_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT customer_label_slug UNIQUE (provider_id, slug),
  CONSTRAINT customer_label_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT customer_label_color_check CHECK ((color ~ '^#[0-9a-f]{6}$'::text)),
  CONSTRAINT customer_label_name_check CHECK (((length(name) >= 1) AND (length(name) <= 64))),
  CONSTRAINT customer_label_slug_check CHECK (((slug ~ '^[a-z0-9]+(_[a-z0-9]+)*$'::text) AND (length(slug) <= 64)))
);
CREATE POLICY across ON customer_label FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON customer_label FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE customer_label TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE customer_label TO rollcall_app;
ALTER TABLE customer_label ENABLE ROW LEVEL SECURITY;
ALTER TABLE customer_label FORCE ROW LEVEL SECURITY;

CREATE TABLE customer_label_link (
  provider_id bigint NOT NULL,
  customer_id bigint NOT NULL,
  customer_label_id bigint NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT customer_label_link_pkey PRIMARY KEY (provider_id, customer_id, customer_label_id),
  CONSTRAINT customer_label_link_provider_id_customer_id_fkey FOREIGN KEY (provider_id, customer_id) REFERENCES customer(provider_id, id),
  CONSTRAINT customer_label_link_provider_id_customer_label_id_fkey FOREIGN KEY (provider_id, customer_label_id) REFERENCES customer_label(provider_id, id)
);
CREATE INDEX customer_label_link_label ON public.customer_label_link USING btree (provider_id, customer_label_id, customer_id);
CREATE POLICY across ON customer_label_link FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON customer_label_link FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE customer_label_link TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE customer_label_link TO rollcall_app;
ALTER TABLE customer_label_link ENABLE ROW LEVEL SECURITY;
ALTER TABLE customer_label_link FORCE ROW LEVEL SECURITY;

CREATE TABLE customer_membership (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  customer_id bigint NOT NULL,
  membership_id bigint NOT NULL,
  membership_type text NOT NULL,
  payment_plan_id bigint,
  status text DEFAULT 'active'::text NOT NULL,
  cancellation_reason text,
  bought_on date NOT NULL,
  start_date date,
  expiration_date date,
  is_set_for_cancellation boolean DEFAULT false NOT NULL,
  billing_unit text,
  billing_length integer,
  billing_anchor date,
  billing_day integer,
  billed_price_minor bigint NOT NULL,
  shared_with_family boolean DEFAULT false NOT NULL,
  replaced_by_id bigint,
  ended_at timestamp with time zone,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  renews_on date,
  period_price_minor bigint,
  end_before_cancellation date,
  CONSTRAINT customer_membership_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT customer_membership_provider_id_customer_id_fkey FOREIGN KEY (provider_id, customer_id) REFERENCES customer(provider_id, id),
  CONSTRAINT customer_membership_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT customer_membership_provider_id_membership_id_membership_t_fkey FOREIGN KEY (provider_id, membership_id, membership_type) REFERENCES membership(provider_id, id, type),
  CONSTRAINT customer_membership_provider_id_membership_id_payment_plan_fkey FOREIGN KEY (provider_id, membership_id, payment_plan_id) REFERENCES membership_payment_plan(provider_id, membership_id, id),
  CONSTRAINT customer_membership_provider_id_replaced_by_id_fkey FOREIGN KEY (provider_id, replaced_by_id) REFERENCES customer_membership(provider_id, id),
  CONSTRAINT customer_membership_billed_price_minor_check CHECK ((billed_price_minor >= 0)),
  CONSTRAINT customer_membership_billing_day_check CHECK (((billing_day >= 1) AND (billing_day <= 31))),
  CONSTRAINT customer_membership_billing_length_check CHECK (((billing_length >= 1) AND (billing_length <= 120))),
  CONSTRAINT customer_membership_billing_unit_check CHECK ((billing_unit = ANY (ARRAY['months'::text, 'weeks'::text]))),
  CONSTRAINT customer_membership_cancellation_reason_check CHECK ((cancellation_reason = ANY (ARRAY['upgraded'::text, 'cancelled'::text, 'mistake'::text, 'downgraded'::text, 'no_auto_renew'::text]))),
  CONSTRAINT customer_membership_check CHECK ((start_date <= expiration_date)),
  CONSTRAINT customer_membership_check1 CHECK (((ended_at IS NOT NULL) = (status = ANY (ARRAY['completed'::text, 'cancelled'::text])))),
  CONSTRAINT customer_membership_check2 CHECK (((status <> 'cancelled'::text) OR (cancellation_reason IS NOT NULL))),
  CONSTRAINT customer_membership_check3 CHECK (((NOT is_set_for_cancellation) OR (expiration_date IS NOT NULL))),
  CONSTRAINT customer_membership_check4 CHECK ((num_nonnulls(billing_unit, billing_length, billing_anchor, payment_plan_id) =
CASE membership_type
    WHEN 'recurring_plan'::text THEN 4
    ELSE 0
END)),
  CONSTRAINT customer_membership_check5 CHECK (((billing_day IS NULL) OR (billing_unit = 'months'::text))),
  CONSTRAINT customer_membership_check6 CHECK (((membership_type <> 'recurring_plan'::text) OR (start_date IS NOT NULL))),
  CONSTRAINT customer_membership_check7 CHECK (((end_before_cancellation IS NULL) OR (cancellation_reason IS NOT NULL))),
  CONSTRAINT customer_membership_check8 CHECK (((membership_type = 'recurring_plan'::text) OR ((renews_on IS NULL) AND (period_price_minor IS NULL)))),
  CONSTRAINT customer_membership_period_price_minor_check CHECK ((period_price_minor >= 0)),
  CONSTRAINT customer_membership_status_check CHECK ((status = ANY (ARRAY['active'::text, 'hold'::text, 'completed'::text, 'cancelled'::text])))
);
CREATE INDEX customer_membership_customer ON public.customer_membership USING btree (provider_id, customer_id, id);
CREATE INDEX customer_membership_end ON public.customer_membership USING btree (provider_id, expiration_date, id);
CREATE INDEX customer_membership_product ON public.customer_membership USING btree (provider_id, membership_id, status, id);
CREATE INDEX customer_membership_renewal ON public.customer_membership USING btree (provider_id, renews_on, id) WHERE ((status = ANY (ARRAY['active'::text, 'hold'::text])) AND ((expiration_date IS NULL) OR (renews_on <= expiration_date)));
CREATE INDEX customer_membership_start ON public.customer_membership USING btree (provider_id, start_date, id);
CREATE INDEX customer_membership_status ON public.customer_membership USING btree (provider_id, status, id);
CREATE TRIGGER customer_membership_period_price BEFORE UPDATE OF billed_price_minor ON public.customer_membership FOR EACH ROW WHEN (((new.membership_type = 'recurring_plan'::text) AND (new.billed_price_minor <> old.billed_price_minor) AND (NOT (new.period_price_minor IS DISTINCT FROM old.period_price_minor)))) EXECUTE FUNCTION period_keeps_price();
CREATE TRIGGER members_deleted AFTER DELETE ON public.customer_membership REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION members_deleted();
CREATE TRIGGER members_inserted AFTER INSERT ON public.customer_membership REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION members_inserted();
CREATE TRIGGER members_updated AFTER UPDATE ON public.customer_membership REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION members_updated();
CREATE TRIGGER share_from_now_on BEFORE INSERT ON public.customer_membership FOR EACH ROW EXECUTE FUNCTION share_from_now_on();
CREATE POLICY across ON customer_membership FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON customer_membership FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE customer_membership TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE customer_membership TO rollcall_app;
ALTER TABLE customer_membership ENABLE ROW LEVEL SECURITY;
ALTER TABLE customer_membership FORCE ROW LEVEL SECURITY;

CREATE TABLE customer_membership_hold (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  customer_membership_id bigint NOT NULL,
  start_date date NOT NULL,
  end_date date,
  days_to_add integer,
  prorate_usage boolean DEFAULT true NOT NULL,
  disable_prorates boolean DEFAULT false NOT NULL,
  extend_expirations boolean DEFAULT false NOT NULL,
  made_by text NOT NULL,
  previous_expiration_date date,
  extended_days integer DEFAULT 0 NOT NULL,
  resolution jsonb NOT NULL,
  credit_adjustment_id bigint,
  charge_adjustment_id bigint,
  begins_at timestamp with time zone NOT NULL,
  over_at timestamp with time zone,
  held_at timestamp with time zone,
  resumed_at timestamp with time zone,
  ended_at timestamp with time zone,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT customer_membership_hold_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT customer_membership_hold_one EXCLUDE USING gist (provider_id WITH =, customer_membership_id WITH =, daterange(start_date, end_date, '[]'::text) WITH &&),
  CONSTRAINT customer_membership_hold_provider_id_charge_adjustment_id_fkey FOREIGN KEY (provider_id, charge_adjustment_id) REFERENCES membership_adjustment(provider_id, id),
  CONSTRAINT customer_membership_hold_provider_id_credit_adjustment_id_fkey FOREIGN KEY (provider_id, credit_adjustment_id) REFERENCES membership_adjustment(provider_id, id),
  CONSTRAINT customer_membership_hold_provider_id_customer_membership_i_fkey FOREIGN KEY (provider_id, customer_membership_id) REFERENCES customer_membership(provider_id, id),
  CONSTRAINT customer_membership_hold_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT customer_membership_hold_check CHECK ((start_date <= end_date)),
  CONSTRAINT customer_membership_hold_check1 CHECK (((end_date IS NULL) = (over_at IS NULL))),
  CONSTRAINT customer_membership_hold_check2 CHECK (((extended_days = 0) OR (extend_expirations AND (previous_expiration_date IS NOT NULL)))),
  CONSTRAINT customer_membership_hold_days_to_add_check CHECK (((days_to_add >= 1) AND (days_to_add <= 100000))),
  CONSTRAINT customer_membership_hold_extended_days_check CHECK ((extended_days >= 0)),
  CONSTRAINT customer_membership_hold_made_by_check CHECK ((made_by = ANY (ARRAY['customer'::text, 'staff'::text])))
);
CREATE INDEX customer_membership_hold_end ON public.customer_membership_hold USING btree (provider_id, end_date, id);
CREATE INDEX customer_membership_hold_of ON public.customer_membership_hold USING btree (provider_id, customer_membership_id, start_date);
CREATE INDEX customer_membership_hold_standing ON public.customer_membership_hold USING btree (begins_at) WHERE (resumed_at IS NULL);
CREATE INDEX customer_membership_hold_start ON public.customer_membership_hold USING btree (provider_id, start_date, id);
CREATE POLICY across ON customer_membership_hold FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON customer_membership_hold FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE customer_membership_hold TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE customer_membership_hold TO rollcall_app;
ALTER TABLE customer_membership_hold ENABLE ROW LEVEL SECURITY;
ALTER TABLE customer_membership_hold FORCE ROW LEVEL SECURITY;

CREATE TABLE customer_membership_share (
  provider_id bigint NOT NULL,
  customer_membership_id bigint NOT NULL,
  customer_id bigint NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT customer_membership_share_pkey PRIMARY KEY (provider_id, customer_membership_id, customer_id),
  CONSTRAINT customer_membership_share_provider_id_customer_id_fkey FOREIGN KEY (provider_id, customer_id) REFERENCES customer(provider_id, id),
  CONSTRAINT customer_membership_share_provider_id_customer_membership__fkey FOREIGN KEY (provider_id, customer_membership_id) REFERENCES customer_membership(provider_id, id),
  CONSTRAINT customer_membership_share_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id)
);
CREATE INDEX customer_membership_share_customer ON public.customer_membership_share USING btree (provider_id, customer_id, customer_membership_id);
CREATE POLICY across ON customer_membership_share FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON customer_membership_share FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE customer_membership_share TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE customer_membership_share TO rollcall_app;
ALTER TABLE customer_membership_share ENABLE ROW LEVEL SECURITY;
ALTER TABLE customer_membership_share FORCE ROW LEVEL SECURITY;

CREATE TABLE customer_merge (
  provider_id bigint NOT NULL,
  customer_id bigint NOT NULL,
  into_id bigint NOT NULL,
  at timestamp with time zone NOT NULL,
  CONSTRAINT customer_merge_pkey PRIMARY KEY (provider_id, customer_id),
  CONSTRAINT customer_merge_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT customer_merge_provider_id_into_id_fkey FOREIGN KEY (provider_id, into_id) REFERENCES customer(provider_id, id)
);
CREATE INDEX customer_merge_into ON public.customer_merge USING btree (provider_id, into_id);
CREATE POLICY across ON customer_merge FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON customer_merge FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE customer_merge TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE customer_merge TO rollcall_app;
ALTER TABLE customer_merge ENABLE ROW LEVEL SECURITY;
ALTER TABLE customer_merge FORCE ROW LEVEL SECURITY;

CREATE TABLE customer_note (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  customer_id bigint NOT NULL,
  kind text DEFAULT 'note'::text NOT NULL,
  text text NOT NULL,
  author_id bigint,
  at timestamp with time zone NOT NULL,
  pinned boolean DEFAULT false NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT customer_note_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT customer_note_provider_id_author_id_fkey FOREIGN KEY (provider_id, author_id) REFERENCES staff(provider_id, id),
  CONSTRAINT customer_note_provider_id_customer_id_fkey FOREIGN KEY (provider_id, customer_id) REFERENCES customer(provider_id, id),
  CONSTRAINT customer_note_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT customer_note_kind_check CHECK ((kind = ANY (ARRAY['note'::text, 'call'::text, 'visit'::text, 'email'::text]))),
  CONSTRAINT customer_note_text_check CHECK (((length(text) >= 1) AND (length(text) <= 10000)))
);
CREATE INDEX customer_note_customer ON public.customer_note USING btree (provider_id, customer_id, at);
CREATE POLICY across ON customer_note FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON customer_note FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE customer_note TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE customer_note TO rollcall_app;
ALTER TABLE customer_note ENABLE ROW LEVEL SECURITY;
ALTER TABLE customer_note FORCE ROW LEVEL SECURITY;

CREATE TABLE customer_staff_assignment (
  provider_id bigint NOT NULL,
  customer_id bigint NOT NULL,
  staff_id bigint NOT NULL,
  CONSTRAINT customer_staff_assignment_pkey PRIMARY KEY (provider_id, customer_id, staff_id),
  CONSTRAINT customer_staff_assignment_provider_id_customer_id_fkey FOREIGN KEY (provider_id, customer_id) REFERENCES customer(provider_id, id),
  CONSTRAINT customer_staff_assignment_provider_id_staff_id_fkey FOREIGN KEY (provider_id, staff_id) REFERENCES staff(provider_id, id)
);
CREATE INDEX customer_staff_assignment_staff ON public.customer_staff_assignment USING btree (provider_id, staff_id, customer_id);
CREATE POLICY across ON customer_staff_assignment FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON customer_staff_assignment FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE customer_staff_assignment TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE customer_staff_assignment TO rollcall_app;
ALTER TABLE customer_staff_assignment ENABLE ROW LEVEL SECURITY;
ALTER TABLE customer_staff_assignment FORCE ROW LEVEL SECURITY;

CREATE TABLE customer_status (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  name text NOT NULL,
  slug text NOT NULL,
  color text DEFAULT '#808080'::text NOT NULL,
  "position" integer DEFAULT 0 NOT NULL,
  is_default boolean DEFAULT false NOT NULL,
  set_on text[] DEFAULT '{}'::text[] NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT customer_status_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT customer_status_slug UNIQUE (provider_id, slug),
  CONSTRAINT customer_status_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT customer_status_color_check CHECK ((color ~ '^#[0-9a-f]{6}$'::text)),
  CONSTRAINT customer_status_name_check CHECK (((length(name) >= 1) AND (length(name) <= 64))),
  CONSTRAINT customer_status_slug_check CHECK (((slug ~ '^[a-z0-9]+(_[a-z0-9]+)*$'::text) AND (length(slug) <= 64))),
  CONSTRAINT customer_status_slug_check1 CHECK ((slug <> 'null'::text))
);
CREATE UNIQUE INDEX customer_status_default ON public.customer_status USING btree (provider_id) WHERE is_default;
CREATE POLICY across ON customer_status FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON customer_status FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE customer_status TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE customer_status TO rollcall_app;
ALTER TABLE customer_status ENABLE ROW LEVEL SECURITY;
ALTER TABLE customer_status FORCE ROW LEVEL SECURITY;

CREATE TABLE customer_status_from (
  provider_id bigint NOT NULL,
  customer_status_id bigint NOT NULL,
  from_id bigint NOT NULL,
  CONSTRAINT customer_status_from_pkey PRIMARY KEY (provider_id, customer_status_id, from_id),
  CONSTRAINT customer_status_from_provider_id_customer_status_id_fkey FOREIGN KEY (provider_id, customer_status_id) REFERENCES customer_status(provider_id, id),
  CONSTRAINT customer_status_from_provider_id_from_id_fkey FOREIGN KEY (provider_id, from_id) REFERENCES customer_status(provider_id, id)
);
CREATE POLICY across ON customer_status_from FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON customer_status_from FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE customer_status_from TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE customer_status_from TO rollcall_app;
ALTER TABLE customer_status_from ENABLE ROW LEVEL SECURITY;
ALTER TABLE customer_status_from FORCE ROW LEVEL SECURITY;

CREATE TABLE customer_task (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  customer_id bigint NOT NULL,
  title text NOT NULL,
  description text,
  due_date date,
  assignee_id bigint,
  done_at timestamp with time zone,
  done_by_id bigint,
  workflow_run_id bigint,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT customer_task_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT customer_task_provider_id_assignee_id_fkey FOREIGN KEY (provider_id, assignee_id) REFERENCES staff(provider_id, id),
  CONSTRAINT customer_task_provider_id_customer_id_fkey FOREIGN KEY (provider_id, customer_id) REFERENCES customer(provider_id, id),
  CONSTRAINT customer_task_provider_id_done_by_id_fkey FOREIGN KEY (provider_id, done_by_id) REFERENCES staff(provider_id, id),
  CONSTRAINT customer_task_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT customer_task_provider_id_workflow_run_id_fkey FOREIGN KEY (provider_id, workflow_run_id) REFERENCES workflow_run(provider_id, id),
  CONSTRAINT customer_task_check CHECK (((done_by_id IS NULL) OR (done_at IS NOT NULL))),
  CONSTRAINT customer_task_description_check CHECK ((length(description) <= 10000)),
  CONSTRAINT customer_task_title_check CHECK (((length(title) >= 1) AND (length(title) <= 255)))
);
CREATE INDEX customer_task_assignee ON public.customer_task USING btree (provider_id, assignee_id, due_date) WHERE (done_at IS NULL);
CREATE INDEX customer_task_customer ON public.customer_task USING btree (provider_id, customer_id);
CREATE POLICY across ON customer_task FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON customer_task FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE customer_task TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE customer_task TO rollcall_app;
ALTER TABLE customer_task ENABLE ROW LEVEL SECURITY;
ALTER TABLE customer_task FORCE ROW LEVEL SECURITY;

CREATE TABLE email_quota_use (
  provider_id bigint NOT NULL,
  period date NOT NULL,
  used bigint DEFAULT 0 NOT NULL,
  CONSTRAINT email_quota_use_pkey PRIMARY KEY (provider_id, period),
  CONSTRAINT email_quota_use_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT email_quota_use_used_check CHECK ((used >= 0))
);
CREATE POLICY across ON email_quota_use FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON email_quota_use FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE email_quota_use TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE email_quota_use TO rollcall_app;
ALTER TABLE email_quota_use ENABLE ROW LEVEL SECURITY;
ALTER TABLE email_quota_use FORCE ROW LEVEL SECURITY;

CREATE TABLE entitlement_entry (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  customer_membership_id bigint NOT NULL,
  attendance_id bigint,
  customer_id bigint NOT NULL,
  offering_type_id bigint,
  event_starts_on date NOT NULL,
  amount integer NOT NULL,
  reason text NOT NULL,
  open boolean DEFAULT false NOT NULL,
  reverses_id bigint,
  at timestamp with time zone NOT NULL,
  CONSTRAINT entitlement_entry_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT entitlement_entry_provider_id_attendance_id_fkey FOREIGN KEY (provider_id, attendance_id) REFERENCES attendance(provider_id, id) ON DELETE SET NULL (attendance_id),
  CONSTRAINT entitlement_entry_provider_id_customer_id_fkey FOREIGN KEY (provider_id, customer_id) REFERENCES customer(provider_id, id),
  CONSTRAINT entitlement_entry_provider_id_customer_membership_id_fkey FOREIGN KEY (provider_id, customer_membership_id) REFERENCES customer_membership(provider_id, id),
  CONSTRAINT entitlement_entry_provider_id_offering_type_id_fkey FOREIGN KEY (provider_id, offering_type_id) REFERENCES offering_type(provider_id, id),
  CONSTRAINT entitlement_entry_provider_id_reverses_id_fkey FOREIGN KEY (provider_id, reverses_id) REFERENCES entitlement_entry(provider_id, id),
  CONSTRAINT entitlement_entry_amount_check CHECK ((amount <> 0)),
  CONSTRAINT entitlement_entry_check CHECK (((reverses_id IS NULL) OR (amount > 0))),
  CONSTRAINT entitlement_entry_open CHECK (((NOT open) OR ((amount < 0) AND (attendance_id IS NOT NULL) AND (reverses_id IS NULL)))),
  CONSTRAINT entitlement_entry_reason_check CHECK ((reason = ANY (ARRAY['registered'::text, 'corrected'::text, 'cancelled_in_time'::text, 'event_cancelled'::text, 'no_show'::text, 'booking_dropped'::text, 'replaced'::text, 'adjusted'::text])))
);
CREATE INDEX entitlement_entry_attendance ON public.entitlement_entry USING btree (provider_id, attendance_id);
CREATE INDEX entitlement_entry_balance ON public.entitlement_entry USING btree (provider_id, customer_membership_id, event_starts_on);
CREATE INDEX entitlement_entry_customer ON public.entitlement_entry USING btree (provider_id, customer_id);
CREATE UNIQUE INDEX entitlement_entry_one ON public.entitlement_entry USING btree (provider_id, attendance_id) WHERE open;
CREATE UNIQUE INDEX entitlement_entry_reversed ON public.entitlement_entry USING btree (provider_id, reverses_id) WHERE (reverses_id IS NOT NULL);
CREATE TRIGGER entitlement_given_back AFTER INSERT ON public.entitlement_entry FOR EACH ROW WHEN ((new.reverses_id IS NOT NULL)) EXECUTE FUNCTION entitlement_given_back();
CREATE TRIGGER entitlement_kept AFTER DELETE ON public.entitlement_entry FOR EACH ROW EXECUTE FUNCTION entitlement_stays();
CREATE TRIGGER entitlement_stays AFTER UPDATE ON public.entitlement_entry FOR EACH ROW WHEN (((new.amount <> old.amount) OR (new.customer_membership_id <> old.customer_membership_id) OR (new.reason <> old.reason) OR (new.offering_type_id IS DISTINCT FROM old.offering_type_id) OR (new.reverses_id IS DISTINCT FROM old.reverses_id) OR (new.open > old.open) OR (new.attendance_id <> old.attendance_id))) EXECUTE FUNCTION entitlement_stays();
CREATE TRIGGER entitlement_used AFTER INSERT ON public.entitlement_entry FOR EACH ROW WHEN ((new.amount < 0)) EXECUTE FUNCTION entitlement_used();
CREATE POLICY across ON entitlement_entry FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON entitlement_entry FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE entitlement_entry TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE entitlement_entry TO rollcall_app;
ALTER TABLE entitlement_entry ENABLE ROW LEVEL SECURITY;
ALTER TABLE entitlement_entry FORCE ROW LEVEL SECURITY;

CREATE TABLE event (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  offering_type_id bigint NOT NULL,
  venue_id bigint NOT NULL,
  venue_room_id bigint,
  category_id bigint,
  series_id bigint,
  series_local_starts_at timestamp without time zone,
  name text NOT NULL,
  description text,
  status text DEFAULT 'active'::text NOT NULL,
  timezone text NOT NULL,
  local_starts_at timestamp without time zone NOT NULL,
  local_ends_at timestamp without time zone NOT NULL,
  starts_at timestamp with time zone NOT NULL,
  ends_at timestamp with time zone NOT NULL,
  max_occupancy integer,
  attending_count integer DEFAULT 0 NOT NULL,
  held_count integer DEFAULT 0 NOT NULL,
  waiting_count integer DEFAULT 0 NOT NULL,
  waitlist_max_override integer,
  calendar_opens_at timestamp with time zone,
  room_exclusive boolean DEFAULT true NOT NULL,
  external_id text,
  cancelled_at timestamp with time zone,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT event_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT event_provider_id_external_id_key UNIQUE (provider_id, external_id),
  CONSTRAINT event_provider_id_series_id_series_local_starts_at_key UNIQUE (provider_id, series_id, series_local_starts_at),
  CONSTRAINT event_room_free EXCLUDE USING gist (provider_id WITH =, venue_room_id WITH =, tstzrange(starts_at, ends_at) WITH &&) WHERE (((status = 'active'::text) AND (venue_room_id IS NOT NULL) AND room_exclusive)),
  CONSTRAINT event_provider_id_category_id_fkey FOREIGN KEY (provider_id, category_id) REFERENCES offering_type_category(provider_id, id),
  CONSTRAINT event_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT event_provider_id_offering_type_id_fkey FOREIGN KEY (provider_id, offering_type_id) REFERENCES offering_type(provider_id, id),
  CONSTRAINT event_provider_id_series_id_fkey FOREIGN KEY (provider_id, series_id) REFERENCES event_series(provider_id, id),
  CONSTRAINT event_provider_id_venue_id_fkey FOREIGN KEY (provider_id, venue_id) REFERENCES venue(provider_id, id),
  CONSTRAINT event_provider_id_venue_id_venue_room_id_fkey FOREIGN KEY (provider_id, venue_id, venue_room_id) REFERENCES venue_room(provider_id, venue_id, id),
  CONSTRAINT event_attending_count_check CHECK ((attending_count >= 0)),
  CONSTRAINT event_capacity CHECK (((attending_count + held_count) <= max_occupancy)),
  CONSTRAINT event_check CHECK ((starts_at < ends_at)),
  CONSTRAINT event_check1 CHECK (((series_id IS NULL) = (series_local_starts_at IS NULL))),
  CONSTRAINT event_external_id_check CHECK (((length(external_id) >= 1) AND (length(external_id) <= 50))),
  CONSTRAINT event_held_count_check CHECK ((held_count >= 0)),
  CONSTRAINT event_max_occupancy_check CHECK ((max_occupancy >= 1)),
  CONSTRAINT event_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
  CONSTRAINT event_status_check CHECK ((status = ANY (ARRAY['active'::text, 'cancelled'::text]))),
  CONSTRAINT event_waiting_count_check CHECK ((waiting_count >= 0)),
  CONSTRAINT event_waitlist_max_override_check CHECK ((waitlist_max_override >= 0))
) WITH (fillfactor=80);
CREATE INDEX event_end ON public.event USING btree (provider_id, ends_at, id);
CREATE INDEX event_local_start ON public.event USING btree (provider_id, local_starts_at);
CREATE INDEX event_offering_type ON public.event USING btree (provider_id, offering_type_id, starts_at);
CREATE INDEX event_start ON public.event USING btree (provider_id, starts_at, id);
CREATE INDEX event_venue ON public.event USING btree (provider_id, venue_id, starts_at);
CREATE TRIGGER count_rows_delete AFTER DELETE ON public.event REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_rows_insert AFTER INSERT ON public.event REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER event_entitlements AFTER UPDATE OF local_starts_at ON public.event FOR EACH ROW WHEN (((new.local_starts_at)::date <> (old.local_starts_at)::date)) EXECUTE FUNCTION entitlements_follow();
CREATE TRIGGER event_moved AFTER UPDATE OF starts_at, ends_at, status ON public.event FOR EACH ROW WHEN (((new.starts_at <> old.starts_at) OR (new.ends_at <> old.ends_at) OR (new.status <> old.status))) EXECUTE FUNCTION event_moved();
CREATE POLICY across ON event FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON event FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE event TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE event TO rollcall_app;
ALTER TABLE event ENABLE ROW LEVEL SECURITY;
ALTER TABLE event FORCE ROW LEVEL SECURITY;

CREATE TABLE event_instructor (
  provider_id bigint NOT NULL,
  event_id bigint NOT NULL,
  instructor_id bigint NOT NULL,
  during tstzrange NOT NULL,
  active boolean NOT NULL,
  CONSTRAINT event_instructor_pkey PRIMARY KEY (provider_id, event_id, instructor_id),
  CONSTRAINT instructor_free EXCLUDE USING gist (provider_id WITH =, instructor_id WITH =, during WITH &&) WHERE (active),
  CONSTRAINT event_instructor_provider_id_event_id_fkey FOREIGN KEY (provider_id, event_id) REFERENCES event(provider_id, id),
  CONSTRAINT event_instructor_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT event_instructor_provider_id_instructor_id_fkey FOREIGN KEY (provider_id, instructor_id) REFERENCES instructor(provider_id, id)
);
CREATE INDEX event_instructor_instructor ON public.event_instructor USING btree (provider_id, instructor_id, event_id);
CREATE TRIGGER event_instructor_follows BEFORE INSERT ON public.event_instructor FOR EACH ROW EXECUTE FUNCTION event_instructor_follows();
CREATE POLICY across ON event_instructor FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON event_instructor FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE event_instructor TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE event_instructor TO rollcall_app;
ALTER TABLE event_instructor ENABLE ROW LEVEL SECURITY;
ALTER TABLE event_instructor FORCE ROW LEVEL SECURITY;

CREATE TABLE event_registration_timeline (
  provider_id bigint NOT NULL,
  event_id bigint NOT NULL,
  registration_timeline_id bigint NOT NULL,
  CONSTRAINT event_registration_timeline_pkey PRIMARY KEY (provider_id, event_id, registration_timeline_id),
  CONSTRAINT event_registration_timeline_provider_id_event_id_fkey FOREIGN KEY (provider_id, event_id) REFERENCES event(provider_id, id),
  CONSTRAINT event_registration_timeline_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT event_registration_timeline_provider_id_registration_timel_fkey FOREIGN KEY (provider_id, registration_timeline_id) REFERENCES registration_timeline(provider_id, id)
);
CREATE POLICY across ON event_registration_timeline FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON event_registration_timeline FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE event_registration_timeline TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE event_registration_timeline TO rollcall_app;
ALTER TABLE event_registration_timeline ENABLE ROW LEVEL SECURITY;
ALTER TABLE event_registration_timeline FORCE ROW LEVEL SECURITY;

CREATE TABLE event_reminder (
  provider_id bigint NOT NULL,
  event_id bigint NOT NULL,
  customer_id bigint NOT NULL,
  due_at timestamp with time zone NOT NULL,
  CONSTRAINT event_reminder_pkey PRIMARY KEY (provider_id, event_id, customer_id),
  CONSTRAINT event_reminder_provider_id_customer_id_fkey FOREIGN KEY (provider_id, customer_id) REFERENCES customer(provider_id, id),
  CONSTRAINT event_reminder_provider_id_event_id_fkey FOREIGN KEY (provider_id, event_id) REFERENCES event(provider_id, id)
);
CREATE INDEX event_reminder_due ON public.event_reminder USING btree (due_at);
CREATE POLICY across ON event_reminder FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON event_reminder FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE event_reminder TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE event_reminder TO rollcall_app;
ALTER TABLE event_reminder ENABLE ROW LEVEL SECURITY;
ALTER TABLE event_reminder FORCE ROW LEVEL SECURITY;

CREATE TABLE event_series (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  rrule text NOT NULL,
  timezone text NOT NULL,
  first_local_starts_at timestamp without time zone NOT NULL,
  duration_minutes integer NOT NULL,
  exceptions date[] DEFAULT '{}'::date[] NOT NULL,
  status text DEFAULT 'active'::text NOT NULL,
  template jsonb NOT NULL,
  made_until timestamp without time zone,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT event_series_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT event_series_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT event_series_duration_minutes_check CHECK ((duration_minutes > 0)),
  CONSTRAINT event_series_rrule_check CHECK ((length(rrule) <= 500)),
  CONSTRAINT event_series_status_check CHECK ((status = ANY (ARRAY['active'::text, 'ended'::text])))
);
CREATE POLICY across ON event_series FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON event_series FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE event_series TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE event_series TO rollcall_app;
ALTER TABLE event_series ENABLE ROW LEVEL SECURITY;
ALTER TABLE event_series FORCE ROW LEVEL SECURITY;

CREATE TABLE family (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT family_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT family_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id)
);
CREATE POLICY across ON family FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON family FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE family TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE family TO rollcall_app;
ALTER TABLE family ENABLE ROW LEVEL SECURITY;
ALTER TABLE family FORCE ROW LEVEL SECURITY;

CREATE TABLE feed_item (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  seq bigint,
  kind text NOT NULL,
  object text NOT NULL,
  object_id bigint NOT NULL,
  payload jsonb NOT NULL,
  occurred_at timestamp with time zone NOT NULL,
  CONSTRAINT feed_item_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT feed_item_provider_id_seq_key UNIQUE (provider_id, seq)
);
CREATE INDEX feed_item_at ON public.feed_item USING brin (occurred_at) WITH (pages_per_range='32', autosummarize='on');
CREATE INDEX feed_item_kind ON public.feed_item USING btree (provider_id, kind, seq) WHERE (seq IS NOT NULL);
CREATE INDEX feed_item_object ON public.feed_item USING btree (provider_id, object, object_id, seq) WHERE (seq IS NOT NULL);
CREATE INDEX feed_item_unnumbered ON public.feed_item USING btree (provider_id, id) WHERE (seq IS NULL);
CREATE POLICY across ON feed_item FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON feed_item FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE feed_item TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE feed_item TO rollcall_app;
ALTER TABLE feed_item ENABLE ROW LEVEL SECURITY;
ALTER TABLE feed_item FORCE ROW LEVEL SECURITY;

CREATE TABLE feed_item_set_aside (
  provider_id bigint NOT NULL,
  reader text NOT NULL,
  seq bigint NOT NULL,
  attempts integer NOT NULL,
  error text NOT NULL,
  set_aside_at timestamp with time zone NOT NULL,
  again boolean DEFAULT false NOT NULL,
  CONSTRAINT feed_item_set_aside_pkey PRIMARY KEY (provider_id, reader, seq),
  CONSTRAINT feed_item_set_aside_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT feed_item_set_aside_provider_id_seq_fkey FOREIGN KEY (provider_id, seq) REFERENCES feed_item(provider_id, seq)
);
CREATE INDEX feed_item_set_aside_again ON public.feed_item_set_aside USING btree (provider_id, reader, seq) WHERE again;
CREATE POLICY across ON feed_item_set_aside FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON feed_item_set_aside FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE feed_item_set_aside TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE feed_item_set_aside TO rollcall_app;
ALTER TABLE feed_item_set_aside ENABLE ROW LEVEL SECURITY;
ALTER TABLE feed_item_set_aside FORCE ROW LEVEL SECURITY;

CREATE TABLE feed_position (
  provider_id bigint NOT NULL,
  last_seq bigint DEFAULT 0 NOT NULL,
  read_seq bigint DEFAULT 0 NOT NULL,
  CONSTRAINT feed_position_pkey PRIMARY KEY (provider_id),
  CONSTRAINT feed_position_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id)
);
CREATE INDEX feed_position_unread ON public.feed_position USING btree (provider_id) WHERE (read_seq < last_seq);
CREATE POLICY across ON feed_position FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON feed_position FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE feed_position TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE feed_position TO rollcall_app;
ALTER TABLE feed_position ENABLE ROW LEVEL SECURITY;
ALTER TABLE feed_position FORCE ROW LEVEL SECURITY;

CREATE TABLE feed_reader (
  name text NOT NULL,
  began_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT feed_reader_pkey PRIMARY KEY (name),
  CONSTRAINT feed_reader_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100)))
);
GRANT INSERT, SELECT ON TABLE feed_reader TO rollcall_across;

CREATE TABLE feed_reader_position (
  provider_id bigint NOT NULL,
  reader text NOT NULL,
  last_seq bigint DEFAULT 0 NOT NULL,
  fails_by bigint,
  attempts integer DEFAULT 0 NOT NULL,
  error text,
  retry_at timestamp with time zone,
  CONSTRAINT feed_reader_position_pkey PRIMARY KEY (provider_id, reader),
  CONSTRAINT feed_reader_position_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT feed_reader_position_check CHECK ((fails_by > last_seq))
);
CREATE INDEX feed_reader_position_failing ON public.feed_reader_position USING btree (provider_id, reader) WHERE (fails_by IS NOT NULL);
CREATE POLICY across ON feed_reader_position FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON feed_reader_position FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE feed_reader_position TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE feed_reader_position TO rollcall_app;
ALTER TABLE feed_reader_position ENABLE ROW LEVEL SECURITY;
ALTER TABLE feed_reader_position FORCE ROW LEVEL SECURITY;

CREATE TABLE idempotency_key (
  provider_id bigint NOT NULL,
  credential text NOT NULL,
  key text NOT NULL,
  request_hash text NOT NULL,
  status integer NOT NULL,
  headers jsonb NOT NULL,
  body text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT idempotency_key_pkey PRIMARY KEY (provider_id, credential, key)
);
CREATE INDEX idempotency_key_age ON public.idempotency_key USING btree (created_at);
CREATE POLICY across ON idempotency_key FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON idempotency_key FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE idempotency_key TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE idempotency_key TO rollcall_app;
ALTER TABLE idempotency_key ENABLE ROW LEVEL SECURITY;
ALTER TABLE idempotency_key FORCE ROW LEVEL SECURITY;

CREATE TABLE instructor (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  staff_id bigint NOT NULL,
  name text NOT NULL,
  description text DEFAULT ''::text NOT NULL,
  picture_url text DEFAULT ''::text NOT NULL,
  archived boolean DEFAULT false NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT instructor_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT instructor_provider_id_staff_id_key UNIQUE (provider_id, staff_id),
  CONSTRAINT instructor_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT instructor_provider_id_staff_id_fkey FOREIGN KEY (provider_id, staff_id) REFERENCES staff(provider_id, id),
  CONSTRAINT instructor_name_check CHECK (((length(name) >= 1) AND (length(name) <= 256)))
);
CREATE POLICY across ON instructor FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON instructor FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE instructor TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE instructor TO rollcall_app;
ALTER TABLE instructor ENABLE ROW LEVEL SECURITY;
ALTER TABLE instructor FORCE ROW LEVEL SECURITY;

CREATE TABLE job (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  total_items integer NOT NULL,
  complete_items integer DEFAULT 0 NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT job_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT job_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id)
);
CREATE POLICY across ON job FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON job FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE job TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE job TO rollcall_app;
ALTER TABLE job ENABLE ROW LEVEL SECURITY;
ALTER TABLE job FORCE ROW LEVEL SECURITY;

CREATE TABLE job_effect (
  provider_id bigint NOT NULL,
  job_key text NOT NULL,
  done_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT job_effect_pkey PRIMARY KEY (provider_id, job_key)
);
CREATE POLICY across ON job_effect FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON job_effect FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE job_effect TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE job_effect TO rollcall_app;
ALTER TABLE job_effect ENABLE ROW LEVEL SECURITY;
ALTER TABLE job_effect FORCE ROW LEVEL SECURITY;

CREATE TABLE joining_fee (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  name text,
  amount_minor bigint NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT joining_fee_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT joining_fee_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT joining_fee_amount_minor_check CHECK ((amount_minor > 0)),
  CONSTRAINT joining_fee_name_check CHECK (((length(name) >= 1) AND (length(name) <= 256)))
);
CREATE POLICY across ON joining_fee FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON joining_fee FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE joining_fee TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE joining_fee TO rollcall_app;
ALTER TABLE joining_fee ENABLE ROW LEVEL SECURITY;
ALTER TABLE joining_fee FORCE ROW LEVEL SECURITY;

CREATE TABLE machine_token (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  name text NOT NULL,
  token_hash bytea NOT NULL,
  token_hint text NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  CONSTRAINT machine_token_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT machine_token_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id)
);
CREATE UNIQUE INDEX machine_token_hash ON public.machine_token USING btree (token_hash);
CREATE CONSTRAINT TRIGGER access_delete AFTER DELETE ON public.machine_token DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((old.id IS NOT NULL)) EXECUTE FUNCTION access_changed('machine_token', 'id');
CREATE CONSTRAINT TRIGGER access_insert AFTER INSERT ON public.machine_token DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.id IS NOT NULL)) EXECUTE FUNCTION access_changed('machine_token', 'id');
CREATE CONSTRAINT TRIGGER access_update AFTER UPDATE ON public.machine_token DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((((old.id IS NOT NULL) OR (new.id IS NOT NULL)) AND ((old.revoked_at IS DISTINCT FROM new.revoked_at) OR (old.expires_at IS DISTINCT FROM new.expires_at)))) EXECUTE FUNCTION access_changed('machine_token', 'id');
CREATE POLICY across ON machine_token FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON machine_token FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE machine_token TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE machine_token TO rollcall_app;
ALTER TABLE machine_token ENABLE ROW LEVEL SECURITY;
ALTER TABLE machine_token FORCE ROW LEVEL SECURITY;

CREATE TABLE mail_outbox (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  sender text NOT NULL,
  recipient text NOT NULL,
  subject text NOT NULL,
  text_part text NOT NULL,
  html_part text NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  channel text DEFAULT 'email'::text NOT NULL,
  CONSTRAINT mail_outbox_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT mail_outbox_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT mail_outbox_channel_check CHECK ((channel = ANY (ARRAY['email'::text, 'sms'::text])))
);
CREATE INDEX mail_outbox_age ON public.mail_outbox USING btree (created_at);
CREATE POLICY across ON mail_outbox FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON mail_outbox FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE mail_outbox TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE mail_outbox TO rollcall_app;
ALTER TABLE mail_outbox ENABLE ROW LEVEL SECURITY;
ALTER TABLE mail_outbox FORCE ROW LEVEL SECURITY;

CREATE TABLE membership (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  type text NOT NULL,
  name text NOT NULL,
  description text DEFAULT ''::text NOT NULL,
  category_id bigint NOT NULL,
  sort_order integer,
  for_sale boolean DEFAULT true NOT NULL,
  visible_to_customers boolean NOT NULL,
  purchasable_only_by_provider boolean NOT NULL,
  new_customers_only boolean NOT NULL,
  allow_repeat_purchases boolean NOT NULL,
  shareable boolean DEFAULT false NOT NULL,
  min_allowed_age integer,
  max_allowed_age integer,
  one_time_fee_minor bigint,
  begin_on_first_registration boolean DEFAULT false NOT NULL,
  duration integer,
  duration_unit text DEFAULT 'days'::text NOT NULL,
  start_date date,
  expiration_date date,
  use_prorate boolean DEFAULT false NOT NULL,
  allotment_types text[],
  ignore_no_shows boolean DEFAULT false NOT NULL,
  incomplete_reasons text[] DEFAULT '{}'::text[] NOT NULL,
  archived_at timestamp with time zone,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  active_member_count integer DEFAULT 0 NOT NULL,
  customers_can_hold boolean DEFAULT false NOT NULL,
  max_holds_per_year integer,
  max_hold_days_per_year integer,
  shared_with_families boolean DEFAULT false NOT NULL,
  offering_types bigint[],
  except_offering_types bigint[] DEFAULT '{}'::bigint[] NOT NULL,
  limits jsonb DEFAULT '[]'::jsonb NOT NULL,
  CONSTRAINT membership_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT membership_provider_id_id_type_key UNIQUE (provider_id, id, type),
  CONSTRAINT membership_provider_id_category_id_fkey FOREIGN KEY (provider_id, category_id) REFERENCES membership_category(provider_id, id),
  CONSTRAINT membership_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT membership_active_member_count_check CHECK ((active_member_count >= 0)),
  CONSTRAINT membership_allotment_types_check CHECK (((allotment_types <@ ARRAY['event'::text, 'course'::text]) AND (cardinality(allotment_types) > 0))),
  CONSTRAINT membership_check CHECK (((type = 'recurring_plan'::text) = (one_time_fee_minor IS NULL))),
  CONSTRAINT membership_check1 CHECK (((type <> 'recurring_plan'::text) OR ((duration IS NULL) AND (start_date IS NULL) AND (expiration_date IS NULL) AND (NOT begin_on_first_registration)))),
  CONSTRAINT membership_check2 CHECK (((type = 'prepaid_plan'::text) OR (NOT use_prorate))),
  CONSTRAINT membership_check3 CHECK ((start_date <= expiration_date)),
  CONSTRAINT membership_check4 CHECK ((NOT (begin_on_first_registration AND (start_date IS NOT NULL)))),
  CONSTRAINT membership_check5 CHECK ((min_allowed_age <= max_allowed_age)),
  CONSTRAINT membership_check6 CHECK (((archived_at IS NULL) OR (NOT for_sale))),
  CONSTRAINT membership_check7 CHECK ((shareable OR (NOT shared_with_families))),
  CONSTRAINT membership_description_check CHECK ((length(description) <= 10000)),
  CONSTRAINT membership_duration_check CHECK (((duration >= 1) AND (duration <= 10000))),
  CONSTRAINT membership_duration_unit_check CHECK ((duration_unit = ANY (ARRAY['days'::text, 'weeks'::text, 'months'::text]))),
  CONSTRAINT membership_max_allowed_age_check CHECK (((max_allowed_age >= 0) AND (max_allowed_age <= 150))),
  CONSTRAINT membership_max_hold_days_per_year_check CHECK (((max_hold_days_per_year >= 0) AND (max_hold_days_per_year <= 366))),
  CONSTRAINT membership_max_holds_per_year_check CHECK (((max_holds_per_year >= 0) AND (max_holds_per_year <= 365))),
  CONSTRAINT membership_min_allowed_age_check CHECK (((min_allowed_age >= 0) AND (min_allowed_age <= 150))),
  CONSTRAINT membership_name_check CHECK (((length(name) >= 1) AND (length(name) <= 256))),
  CONSTRAINT membership_one_time_fee_minor_check CHECK ((one_time_fee_minor >= 0)),
  CONSTRAINT membership_type_check CHECK ((type = ANY (ARRAY['pack'::text, 'prepaid_plan'::text, 'recurring_plan'::text])))
);
CREATE INDEX membership_category_members ON public.membership USING btree (provider_id, category_id);
CREATE INDEX membership_order ON public.membership USING btree (provider_id, sort_order, id);
CREATE TRIGGER families_need_sharing BEFORE UPDATE OF shareable ON public.membership FOR EACH ROW WHEN ((new.shared_with_families AND (NOT new.shareable))) EXECUTE FUNCTION families_need_sharing();
CREATE POLICY across ON membership FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON membership FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE membership TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE membership TO rollcall_app;
ALTER TABLE membership ENABLE ROW LEVEL SECURITY;
ALTER TABLE membership FORCE ROW LEVEL SECURITY;

CREATE TABLE membership_adjustment (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  customer_membership_id bigint NOT NULL,
  type text NOT NULL,
  amount_minor bigint NOT NULL,
  reason text NOT NULL,
  explanation text NOT NULL,
  due_on date NOT NULL,
  period_start date,
  period_end date,
  voided_at timestamp with time zone,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT membership_adjustment_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT membership_adjustment_provider_id_customer_membership_id_fkey FOREIGN KEY (provider_id, customer_membership_id) REFERENCES customer_membership(provider_id, id),
  CONSTRAINT membership_adjustment_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT membership_adjustment_amount_minor_check CHECK ((amount_minor > 0)),
  CONSTRAINT membership_adjustment_check CHECK ((((period_start IS NULL) = (period_end IS NULL)) AND (period_start <= period_end))),
  CONSTRAINT membership_adjustment_explanation_check CHECK (((length(explanation) >= 1) AND (length(explanation) <= 1000))),
  CONSTRAINT membership_adjustment_reason_check CHECK ((reason = ANY (ARRAY['hold'::text, 'reactivation'::text, 'upgrade'::text, 'penalty'::text]))),
  CONSTRAINT membership_adjustment_type_check CHECK ((type = ANY (ARRAY['charge'::text, 'credit'::text])))
);
CREATE INDEX membership_adjustment_of ON public.membership_adjustment USING btree (provider_id, customer_membership_id, id);
CREATE TRIGGER membership_adjustment_stays BEFORE UPDATE ON public.membership_adjustment FOR EACH ROW WHEN (((new.customer_membership_id <> old.customer_membership_id) OR (new.type <> old.type) OR (new.amount_minor <> old.amount_minor) OR (new.reason <> old.reason) OR (new.due_on <> old.due_on) OR (old.voided_at IS NOT NULL))) EXECUTE FUNCTION membership_adjustment_stays();
CREATE POLICY across ON membership_adjustment FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON membership_adjustment FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE membership_adjustment TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE membership_adjustment TO rollcall_app;
ALTER TABLE membership_adjustment ENABLE ROW LEVEL SECURITY;
ALTER TABLE membership_adjustment FORCE ROW LEVEL SECURITY;

CREATE TABLE membership_category (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  name text NOT NULL,
  sort_order integer,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT membership_category_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT membership_category_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT membership_category_name_check CHECK (((length(name) >= 1) AND (length(name) <= 256)))
);
CREATE POLICY across ON membership_category FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON membership_category FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE membership_category TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE membership_category TO rollcall_app;
ALTER TABLE membership_category ENABLE ROW LEVEL SECURITY;
ALTER TABLE membership_category FORCE ROW LEVEL SECURITY;

CREATE TABLE membership_limit (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  membership_id bigint NOT NULL,
  membership_type text NOT NULL,
  period text NOT NULL,
  max_uses integer,
  roll_over integer DEFAULT 0 NOT NULL,
  CONSTRAINT membership_limit_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT membership_limit_provider_id_membership_id_period_key UNIQUE (provider_id, membership_id, period),
  CONSTRAINT membership_limit_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT membership_limit_provider_id_membership_id_membership_type_fkey FOREIGN KEY (provider_id, membership_id, membership_type) REFERENCES membership(provider_id, id, type),
  CONSTRAINT membership_limit_check CHECK (((period <> 'billing_period'::text) OR (membership_type = 'recurring_plan'::text))),
  CONSTRAINT membership_limit_check1 CHECK (((roll_over = 0) OR ((period <> 'total'::text) AND (max_uses IS NOT NULL)))),
  CONSTRAINT membership_limit_max_uses_check CHECK (((max_uses >= 0) AND (max_uses <= 100000))),
  CONSTRAINT membership_limit_period_check CHECK ((period = ANY (ARRAY['day'::text, 'week'::text, 'month'::text, 'billing_period'::text, 'total'::text]))),
  CONSTRAINT membership_limit_roll_over_check CHECK (((roll_over >= 0) AND (roll_over <= 100000)))
);
CREATE TRIGGER coverage_by_limit AFTER INSERT OR DELETE OR UPDATE ON public.membership_limit FOR EACH ROW EXECUTE FUNCTION coverage_changes();
CREATE POLICY across ON membership_limit FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON membership_limit FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE membership_limit TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE membership_limit TO rollcall_app;
ALTER TABLE membership_limit ENABLE ROW LEVEL SECURITY;
ALTER TABLE membership_limit FORCE ROW LEVEL SECURITY;

CREATE TABLE membership_limit_offering_type (
  provider_id bigint NOT NULL,
  membership_limit_id bigint NOT NULL,
  offering_type_id bigint NOT NULL,
  max_uses integer NOT NULL,
  is_extra boolean NOT NULL,
  CONSTRAINT membership_limit_offering_type_pkey PRIMARY KEY (provider_id, membership_limit_id, offering_type_id),
  CONSTRAINT membership_limit_offering_typ_provider_id_membership_limit_fkey FOREIGN KEY (provider_id, membership_limit_id) REFERENCES membership_limit(provider_id, id),
  CONSTRAINT membership_limit_offering_typ_provider_id_offering_type_id_fkey FOREIGN KEY (provider_id, offering_type_id) REFERENCES offering_type(provider_id, id),
  CONSTRAINT membership_limit_offering_type_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT membership_limit_offering_type_check CHECK (((NOT is_extra) OR (max_uses > 0))),
  CONSTRAINT membership_limit_offering_type_max_uses_check CHECK (((max_uses >= 0) AND (max_uses <= 100000)))
);
CREATE TRIGGER coverage_by_limit_of_type AFTER INSERT OR DELETE OR UPDATE ON public.membership_limit_offering_type FOR EACH ROW EXECUTE FUNCTION coverage_changes();
CREATE POLICY across ON membership_limit_offering_type FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON membership_limit_offering_type FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE membership_limit_offering_type TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE membership_limit_offering_type TO rollcall_app;
ALTER TABLE membership_limit_offering_type ENABLE ROW LEVEL SECURITY;
ALTER TABLE membership_limit_offering_type FORCE ROW LEVEL SECURITY;

CREATE TABLE membership_payment_plan (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  membership_id bigint NOT NULL,
  membership_type text DEFAULT 'recurring_plan'::text NOT NULL,
  status text DEFAULT 'for_sale'::text NOT NULL,
  price_minor bigint NOT NULL,
  billing_period_length integer NOT NULL,
  billing_period_unit text NOT NULL,
  committed_billing_periods integer,
  fixed_billing_day_of_month integer,
  fixed_billing_day_of_week text,
  commitment_expiration_scheme text DEFAULT 'continue_by_period'::text NOT NULL,
  cancellation_notice_days integer,
  joining_fee_id bigint,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT membership_payment_plan_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT membership_payment_plan_provider_id_membership_id_id_key UNIQUE (provider_id, membership_id, id),
  CONSTRAINT membership_payment_plan_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT membership_payment_plan_provider_id_joining_fee_id_fkey FOREIGN KEY (provider_id, joining_fee_id) REFERENCES joining_fee(provider_id, id),
  CONSTRAINT membership_payment_plan_provider_id_membership_id_membersh_fkey FOREIGN KEY (provider_id, membership_id, membership_type) REFERENCES membership(provider_id, id, type),
  CONSTRAINT membership_payment_plan_billing_period_length_check CHECK (((billing_period_length >= 1) AND (billing_period_length <= 120))),
  CONSTRAINT membership_payment_plan_billing_period_unit_check CHECK ((billing_period_unit = ANY (ARRAY['months'::text, 'weeks'::text]))),
  CONSTRAINT membership_payment_plan_cancellation_notice_days_check CHECK (((cancellation_notice_days >= 0) AND (cancellation_notice_days <= 3650))),
  CONSTRAINT membership_payment_plan_check CHECK (((fixed_billing_day_of_month IS NULL) OR (billing_period_unit = 'months'::text))),
  CONSTRAINT membership_payment_plan_check1 CHECK (((fixed_billing_day_of_week IS NULL) OR (billing_period_unit = 'weeks'::text))),
  CONSTRAINT membership_payment_plan_check2 CHECK (((commitment_expiration_scheme = 'continue_by_period'::text) OR (committed_billing_periods IS NOT NULL))),
  CONSTRAINT membership_payment_plan_commitment_expiration_scheme_check CHECK ((commitment_expiration_scheme = ANY (ARRAY['stop_contract'::text, 'renew_contract'::text, 'continue_by_period'::text]))),
  CONSTRAINT membership_payment_plan_committed_billing_periods_check CHECK (((committed_billing_periods >= 1) AND (committed_billing_periods <= 1200))),
  CONSTRAINT membership_payment_plan_fixed_billing_day_of_month_check CHECK (((fixed_billing_day_of_month >= 1) AND (fixed_billing_day_of_month <= 31))),
  CONSTRAINT membership_payment_plan_fixed_billing_day_of_week_check CHECK ((fixed_billing_day_of_week = ANY (ARRAY['monday'::text, 'tuesday'::text, 'wednesday'::text, 'thursday'::text, 'friday'::text, 'saturday'::text, 'sunday'::text]))),
  CONSTRAINT membership_payment_plan_membership_type_check CHECK ((membership_type = 'recurring_plan'::text)),
  CONSTRAINT membership_payment_plan_price_minor_check CHECK ((price_minor >= 0)),
  CONSTRAINT membership_payment_plan_status_check CHECK ((status = ANY (ARRAY['for_sale'::text, 'unavailable'::text])))
);
CREATE INDEX membership_payment_plan_fee ON public.membership_payment_plan USING btree (provider_id, joining_fee_id) WHERE (joining_fee_id IS NOT NULL);
CREATE INDEX membership_payment_plan_membership ON public.membership_payment_plan USING btree (provider_id, membership_id, id);
CREATE POLICY across ON membership_payment_plan FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON membership_payment_plan FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE membership_payment_plan TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE membership_payment_plan TO rollcall_app;
ALTER TABLE membership_payment_plan ENABLE ROW LEVEL SECURITY;
ALTER TABLE membership_payment_plan FORCE ROW LEVEL SECURITY;

CREATE TABLE membership_penalty (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  customer_membership_id bigint NOT NULL,
  rule_id bigint NOT NULL,
  amount_minor bigint NOT NULL,
  due_on date NOT NULL,
  skipped boolean DEFAULT false NOT NULL,
  adjustment_id bigint,
  charged_at timestamp with time zone,
  voided_at timestamp with time zone,
  message_ids bigint[] DEFAULT '{}'::bigint[] NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT membership_penalty_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT membership_penalty_provider_id_id_rule_id_key UNIQUE (provider_id, id, rule_id),
  CONSTRAINT membership_penalty_provider_id_adjustment_id_fkey FOREIGN KEY (provider_id, adjustment_id) REFERENCES membership_adjustment(provider_id, id),
  CONSTRAINT membership_penalty_provider_id_customer_membership_id_fkey FOREIGN KEY (provider_id, customer_membership_id) REFERENCES customer_membership(provider_id, id),
  CONSTRAINT membership_penalty_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT membership_penalty_provider_id_rule_id_fkey FOREIGN KEY (provider_id, rule_id) REFERENCES membership_penalty_rule(provider_id, id),
  CONSTRAINT membership_penalty_amount_minor_check CHECK ((amount_minor > 0)),
  CONSTRAINT membership_penalty_check CHECK ((skipped = (adjustment_id IS NULL))),
  CONSTRAINT membership_penalty_check1 CHECK (((num_nonnulls(charged_at, voided_at) <= 1) AND (NOT (skipped AND (charged_at IS NOT NULL)))))
);
CREATE UNIQUE INDEX membership_penalty_adjustment ON public.membership_penalty USING btree (provider_id, adjustment_id);
CREATE INDEX membership_penalty_of ON public.membership_penalty USING btree (provider_id, customer_membership_id, id);
CREATE INDEX membership_penalty_rule_pending ON public.membership_penalty USING btree (provider_id, rule_id) WHERE ((charged_at IS NULL) AND (voided_at IS NULL));
CREATE POLICY across ON membership_penalty FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON membership_penalty FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE membership_penalty TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE membership_penalty TO rollcall_app;
ALTER TABLE membership_penalty ENABLE ROW LEVEL SECURITY;
ALTER TABLE membership_penalty FORCE ROW LEVEL SECURITY;

CREATE TABLE membership_penalty_message (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  subject text NOT NULL,
  body text NOT NULL,
  trigger_type text NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT membership_penalty_message_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT membership_penalty_message_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT membership_penalty_message_body_check CHECK (((length(body) >= 1) AND (length(body) <= 20000))),
  CONSTRAINT membership_penalty_message_subject_check CHECK (((length(subject) >= 1) AND (length(subject) <= 300))),
  CONSTRAINT membership_penalty_message_trigger_type_check CHECK ((trigger_type = ANY (ARRAY['non_penalized_infraction'::text, 'penalty'::text])))
);
CREATE POLICY across ON membership_penalty_message FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON membership_penalty_message FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE membership_penalty_message TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE membership_penalty_message TO rollcall_app;
ALTER TABLE membership_penalty_message ENABLE ROW LEVEL SECURITY;
ALTER TABLE membership_penalty_message FORCE ROW LEVEL SECURITY;

CREATE TABLE membership_penalty_message_system (
  provider_id bigint NOT NULL,
  membership_penalty_message_id bigint NOT NULL,
  membership_penalty_system_id bigint NOT NULL,
  CONSTRAINT membership_penalty_message_system_pkey PRIMARY KEY (provider_id, membership_penalty_message_id, membership_penalty_system_id),
  CONSTRAINT membership_penalty_message_s_provider_id_membership_penal_fkey1 FOREIGN KEY (provider_id, membership_penalty_system_id) REFERENCES membership_penalty_system(provider_id, id),
  CONSTRAINT membership_penalty_message_sy_provider_id_membership_penal_fkey FOREIGN KEY (provider_id, membership_penalty_message_id) REFERENCES membership_penalty_message(provider_id, id) ON DELETE CASCADE,
  CONSTRAINT membership_penalty_message_system_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id)
);
CREATE INDEX membership_penalty_message_system_of ON public.membership_penalty_message_system USING btree (provider_id, membership_penalty_system_id);
CREATE POLICY across ON membership_penalty_message_system FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON membership_penalty_message_system FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE membership_penalty_message_system TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE membership_penalty_message_system TO rollcall_app;
ALTER TABLE membership_penalty_message_system ENABLE ROW LEVEL SECURITY;
ALTER TABLE membership_penalty_message_system FORCE ROW LEVEL SECURITY;

CREATE TABLE membership_penalty_rule (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  membership_penalty_system_id bigint NOT NULL,
  applies_to text NOT NULL,
  price_minor bigint NOT NULL,
  max_infractions integer NOT NULL,
  days integer NOT NULL,
  ended_at timestamp with time zone,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT membership_penalty_rule_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT membership_penalty_rule_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT membership_penalty_rule_provider_id_membership_penalty_sys_fkey FOREIGN KEY (provider_id, membership_penalty_system_id) REFERENCES membership_penalty_system(provider_id, id),
  CONSTRAINT membership_penalty_rule_applies_to_check CHECK ((applies_to = ANY (ARRAY['no_shows'::text, 'late_cancels'::text, 'late_cancels_or_no_shows'::text]))),
  CONSTRAINT membership_penalty_rule_days_check CHECK (((days >= 5) AND (days <= 3650))),
  CONSTRAINT membership_penalty_rule_max_infractions_check CHECK (((max_infractions >= 1) AND (max_infractions <= 1000))),
  CONSTRAINT membership_penalty_rule_price_minor_check CHECK ((price_minor > 0))
);
CREATE INDEX membership_penalty_rule_of ON public.membership_penalty_rule USING btree (provider_id, membership_penalty_system_id, id);
CREATE UNIQUE INDEX membership_penalty_rule_one ON public.membership_penalty_rule USING btree (provider_id, membership_penalty_system_id, applies_to) WHERE (ended_at IS NULL);
CREATE POLICY across ON membership_penalty_rule FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON membership_penalty_rule FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE membership_penalty_rule TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE membership_penalty_rule TO rollcall_app;
ALTER TABLE membership_penalty_rule ENABLE ROW LEVEL SECURITY;
ALTER TABLE membership_penalty_rule FORCE ROW LEVEL SECURITY;

CREATE TABLE membership_penalty_system (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  name text NOT NULL,
  status text DEFAULT 'active'::text NOT NULL,
  deferred_charge_days integer DEFAULT 1 NOT NULL,
  archived_at timestamp with time zone,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT membership_penalty_system_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT membership_penalty_system_provider_id_id_status_key UNIQUE (provider_id, id, status),
  CONSTRAINT membership_penalty_system_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT membership_penalty_system_check CHECK (((archived_at IS NOT NULL) = (status = 'archived'::text))),
  CONSTRAINT membership_penalty_system_deferred_charge_days_check CHECK (((deferred_charge_days >= 0) AND (deferred_charge_days <= 365))),
  CONSTRAINT membership_penalty_system_name_check CHECK (((length(name) >= 1) AND (length(name) <= 256))),
  CONSTRAINT membership_penalty_system_status_check CHECK ((status = ANY (ARRAY['active'::text, 'archived'::text])))
);
CREATE POLICY across ON membership_penalty_system FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON membership_penalty_system FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE membership_penalty_system TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE membership_penalty_system TO rollcall_app;
ALTER TABLE membership_penalty_system ENABLE ROW LEVEL SECURITY;
ALTER TABLE membership_penalty_system FORCE ROW LEVEL SECURITY;

CREATE TABLE membership_penalty_system_membership (
  provider_id bigint NOT NULL,
  membership_penalty_system_id bigint NOT NULL,
  membership_id bigint NOT NULL,
  system_status text NOT NULL,
  counts_from timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT membership_penalty_system_membership_pkey PRIMARY KEY (provider_id, membership_penalty_system_id, membership_id),
  CONSTRAINT membership_penalty_system_mem_provider_id_membership_penal_fkey FOREIGN KEY (provider_id, membership_penalty_system_id, system_status) REFERENCES membership_penalty_system(provider_id, id, status) ON UPDATE CASCADE,
  CONSTRAINT membership_penalty_system_member_provider_id_membership_id_fkey FOREIGN KEY (provider_id, membership_id) REFERENCES membership(provider_id, id),
  CONSTRAINT membership_penalty_system_membership_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id)
);
CREATE UNIQUE INDEX membership_one_penalty_system ON public.membership_penalty_system_membership USING btree (provider_id, membership_id) WHERE (system_status = 'active'::text);
CREATE INDEX membership_penalty_system_membership_of ON public.membership_penalty_system_membership USING btree (provider_id, membership_id);
CREATE POLICY across ON membership_penalty_system_membership FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON membership_penalty_system_membership FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE membership_penalty_system_membership TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE membership_penalty_system_membership TO rollcall_app;
ALTER TABLE membership_penalty_system_membership ENABLE ROW LEVEL SECURITY;
ALTER TABLE membership_penalty_system_membership FORCE ROW LEVEL SECURITY;

CREATE TABLE membership_purchase (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  secret_hash bytea NOT NULL,
  membership_id bigint NOT NULL,
  plan_id bigint,
  customer_id bigint NOT NULL,
  event_id bigint,
  return_to text NOT NULL,
  by_staff boolean NOT NULL,
  actor text NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  finished_at timestamp with time zone,
  customer_membership_id bigint,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT membership_purchase_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT membership_purchase_provider_id_secret_hash_key UNIQUE (provider_id, secret_hash),
  CONSTRAINT membership_purchase_provider_id_customer_id_fkey FOREIGN KEY (provider_id, customer_id) REFERENCES customer(provider_id, id),
  CONSTRAINT membership_purchase_provider_id_customer_membership_id_fkey FOREIGN KEY (provider_id, customer_membership_id) REFERENCES customer_membership(provider_id, id),
  CONSTRAINT membership_purchase_provider_id_event_id_fkey FOREIGN KEY (provider_id, event_id) REFERENCES event(provider_id, id) ON DELETE CASCADE,
  CONSTRAINT membership_purchase_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT membership_purchase_provider_id_membership_id_fkey FOREIGN KEY (provider_id, membership_id) REFERENCES membership(provider_id, id) ON DELETE CASCADE,
  CONSTRAINT membership_purchase_provider_id_membership_id_plan_id_fkey FOREIGN KEY (provider_id, membership_id, plan_id) REFERENCES membership_payment_plan(provider_id, membership_id, id) ON DELETE CASCADE,
  CONSTRAINT membership_purchase_check CHECK (((finished_at IS NULL) = (customer_membership_id IS NULL))),
  CONSTRAINT membership_purchase_return_to_check CHECK (((length(return_to) >= 1) AND (length(return_to) <= 2000))),
  CONSTRAINT membership_purchase_secret_hash_check CHECK ((length(secret_hash) = 32))
);
CREATE INDEX membership_purchase_over ON public.membership_purchase USING btree (expires_at) WHERE (finished_at IS NULL);
CREATE POLICY across ON membership_purchase FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON membership_purchase FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE membership_purchase TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE membership_purchase TO rollcall_app;
ALTER TABLE membership_purchase ENABLE ROW LEVEL SECURITY;
ALTER TABLE membership_purchase FORCE ROW LEVEL SECURITY;

CREATE TABLE membership_registration_grant (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  membership_id bigint NOT NULL,
  offering_type_id bigint NOT NULL,
  on_allotment_price_minor bigint NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT membership_registration_grant_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT membership_registration_grant_one UNIQUE (provider_id, membership_id, offering_type_id),
  CONSTRAINT membership_registration_grant_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT membership_registration_grant_provider_id_membership_id_fkey FOREIGN KEY (provider_id, membership_id) REFERENCES membership(provider_id, id),
  CONSTRAINT membership_registration_grant_provider_id_offering_type_id_fkey FOREIGN KEY (provider_id, offering_type_id) REFERENCES offering_type(provider_id, id),
  CONSTRAINT membership_registration_grant_on_allotment_price_minor_check CHECK ((on_allotment_price_minor >= 0))
);
CREATE TRIGGER coverage_by_grant AFTER INSERT OR DELETE OR UPDATE ON public.membership_registration_grant FOR EACH ROW EXECUTE FUNCTION coverage_changes();
CREATE POLICY across ON membership_registration_grant FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON membership_registration_grant FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE membership_registration_grant TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE membership_registration_grant TO rollcall_app;
ALTER TABLE membership_registration_grant ENABLE ROW LEVEL SECURITY;
ALTER TABLE membership_registration_grant FORCE ROW LEVEL SECURITY;

CREATE TABLE membership_strike (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  customer_membership_id bigint NOT NULL,
  rule_id bigint NOT NULL,
  attendance_id bigint,
  type text NOT NULL,
  sequence_position integer,
  penalty_id bigint,
  expires_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone,
  end_reason text,
  note text,
  times integer DEFAULT 1 NOT NULL,
  message_ids bigint[] DEFAULT '{}'::bigint[] NOT NULL,
  occurred_at timestamp with time zone NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT membership_strike_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT membership_strike_provider_id_attendance_id_fkey FOREIGN KEY (provider_id, attendance_id) REFERENCES attendance(provider_id, id) ON DELETE SET NULL (attendance_id),
  CONSTRAINT membership_strike_provider_id_customer_membership_id_fkey FOREIGN KEY (provider_id, customer_membership_id) REFERENCES customer_membership(provider_id, id),
  CONSTRAINT membership_strike_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT membership_strike_provider_id_penalty_id_rule_id_fkey FOREIGN KEY (provider_id, penalty_id, rule_id) REFERENCES membership_penalty(provider_id, id, rule_id),
  CONSTRAINT membership_strike_provider_id_rule_id_fkey FOREIGN KEY (provider_id, rule_id) REFERENCES membership_penalty_rule(provider_id, id),
  CONSTRAINT membership_strike_check CHECK (((ended_at IS NULL) = (end_reason IS NULL))),
  CONSTRAINT membership_strike_check1 CHECK (((penalty_id IS NULL) OR (sequence_position IS NOT NULL))),
  CONSTRAINT membership_strike_end_reason_check CHECK ((end_reason = ANY (ARRAY['forgiven'::text, 'voided'::text, 'corrected'::text, 'event_cancelled'::text, 'booking_dropped'::text]))),
  CONSTRAINT membership_strike_note_check CHECK (((length(note) >= 1) AND (length(note) <= 500))),
  CONSTRAINT membership_strike_sequence_position_check CHECK ((sequence_position > 0)),
  CONSTRAINT membership_strike_times_check CHECK ((times > 0)),
  CONSTRAINT membership_strike_type_check CHECK ((type = ANY (ARRAY['late_cancel'::text, 'no_show'::text])))
);
CREATE INDEX membership_strike_of ON public.membership_strike USING btree (provider_id, customer_membership_id, id);
CREATE UNIQUE INDEX membership_strike_one ON public.membership_strike USING btree (provider_id, attendance_id, rule_id);
CREATE UNIQUE INDEX membership_strike_place ON public.membership_strike USING btree (provider_id, penalty_id, sequence_position) WHERE (penalty_id IS NOT NULL);
CREATE INDEX membership_strike_rule ON public.membership_strike USING btree (provider_id, rule_id);
CREATE INDEX membership_strike_without_booking ON public.membership_strike USING btree (provider_id) WHERE ((attendance_id IS NULL) AND (ended_at IS NULL));
CREATE POLICY across ON membership_strike FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON membership_strike FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE membership_strike TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE membership_strike TO rollcall_app;
ALTER TABLE membership_strike ENABLE ROW LEVEL SECURITY;
ALTER TABLE membership_strike FORCE ROW LEVEL SECURITY;

CREATE TABLE membership_terms (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  membership_id bigint NOT NULL,
  plan_id bigint,
  version integer DEFAULT 0 NOT NULL,
  base_terms text DEFAULT ''::text NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT membership_terms_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT membership_terms_one UNIQUE NULLS NOT DISTINCT (provider_id, membership_id, plan_id),
  CONSTRAINT membership_terms_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT membership_terms_provider_id_membership_id_fkey FOREIGN KEY (provider_id, membership_id) REFERENCES membership(provider_id, id),
  CONSTRAINT membership_terms_provider_id_membership_id_plan_id_fkey FOREIGN KEY (provider_id, membership_id, plan_id) REFERENCES membership_payment_plan(provider_id, membership_id, id),
  CONSTRAINT membership_terms_base_terms_check CHECK ((length(base_terms) <= 100000)),
  CONSTRAINT membership_terms_check CHECK (((version = 0) = (base_terms = ''::text))),
  CONSTRAINT membership_terms_version_check CHECK ((version >= 0))
);
CREATE POLICY across ON membership_terms FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON membership_terms FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE membership_terms TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE membership_terms TO rollcall_app;
ALTER TABLE membership_terms ENABLE ROW LEVEL SECURITY;
ALTER TABLE membership_terms FORCE ROW LEVEL SECURITY;

CREATE TABLE membership_terms_version (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  membership_terms_id bigint NOT NULL,
  version integer NOT NULL,
  base_terms text NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT membership_terms_version_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT membership_terms_version_provider_id_membership_terms_id_v_key1 UNIQUE (provider_id, membership_terms_id, version),
  CONSTRAINT membership_terms_version_provider_id_membership_terms_id_ve_key UNIQUE (provider_id, membership_terms_id, version, id),
  CONSTRAINT membership_terms_version_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT membership_terms_version_provider_id_membership_terms_id_fkey FOREIGN KEY (provider_id, membership_terms_id) REFERENCES membership_terms(provider_id, id),
  CONSTRAINT membership_terms_version_base_terms_check CHECK (((length(base_terms) >= 1) AND (length(base_terms) <= 100000))),
  CONSTRAINT membership_terms_version_version_check CHECK ((version >= 1))
);
CREATE TRIGGER membership_terms_version_stays BEFORE UPDATE ON public.membership_terms_version FOR EACH ROW EXECUTE FUNCTION evidence_stays();
CREATE POLICY across ON membership_terms_version FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON membership_terms_version FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE membership_terms_version TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE membership_terms_version TO rollcall_app;
ALTER TABLE membership_terms_version ENABLE ROW LEVEL SECURITY;
ALTER TABLE membership_terms_version FORCE ROW LEVEL SECURITY;

CREATE TABLE message (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  key text NOT NULL,
  channel text NOT NULL,
  purpose text NOT NULL,
  kind text NOT NULL,
  customer_id bigint,
  staff_id bigint,
  about_customer_id bigint,
  recipient text,
  fixed_recipient boolean DEFAULT false NOT NULL,
  subject text,
  text_part text,
  html_part text,
  calendar jsonb,
  headers jsonb,
  sealed boolean DEFAULT false NOT NULL,
  broadcast_id bigint,
  status text NOT NULL,
  reason text,
  error text,
  attempts integer DEFAULT 0 NOT NULL,
  queued_at timestamp with time zone NOT NULL,
  send_at timestamp with time zone NOT NULL,
  claimed_by integer,
  handed_at timestamp with time zone,
  sent_at timestamp with time zone,
  delivered_at timestamp with time zone,
  failed_at timestamp with time zone,
  confirmed boolean DEFAULT true NOT NULL,
  carrier_reference text,
  token_hash bytea,
  unsubscribe_hash bytea,
  CONSTRAINT message_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT message_provider_id_key_key UNIQUE (provider_id, key),
  CONSTRAINT message_provider_id_about_customer_id_fkey FOREIGN KEY (provider_id, about_customer_id) REFERENCES customer(provider_id, id),
  CONSTRAINT message_provider_id_broadcast_id_fkey FOREIGN KEY (provider_id, broadcast_id) REFERENCES broadcast_message(provider_id, id),
  CONSTRAINT message_provider_id_customer_id_fkey FOREIGN KEY (provider_id, customer_id) REFERENCES customer(provider_id, id),
  CONSTRAINT message_provider_id_staff_id_fkey FOREIGN KEY (provider_id, staff_id) REFERENCES staff(provider_id, id),
  CONSTRAINT message_carrier_reference_check CHECK ((length(carrier_reference) <= 200)),
  CONSTRAINT message_channel_check CHECK ((channel = ANY (ARRAY['email'::text, 'sms'::text]))),
  CONSTRAINT message_check CHECK ((num_nonnulls(customer_id, staff_id) = 1)),
  CONSTRAINT message_check1 CHECK (((status = 'skipped'::text) = (reason IS NOT NULL))),
  CONSTRAINT message_check2 CHECK (((status = 'sending'::text) <= (claimed_by IS NOT NULL))),
  CONSTRAINT message_error_check CHECK ((length(error) <= 500)),
  CONSTRAINT message_key_check CHECK (((length(key) >= 1) AND (length(key) <= 200))),
  CONSTRAINT message_kind_check CHECK ((kind ~ '^[a-z_]{1,60}$'::text)),
  CONSTRAINT message_purpose_check CHECK ((purpose = ANY (ARRAY['transactional'::text, 'marketing'::text]))),
  CONSTRAINT message_recipient_check CHECK ((length(recipient) <= 254)),
  CONSTRAINT message_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'sending'::text, 'sent'::text, 'kept'::text, 'delivered'::text, 'bounced'::text, 'failed'::text, 'skipped'::text]))),
  CONSTRAINT message_subject_check CHECK ((length(subject) <= 400))
) WITH (fillfactor=70);
CREATE INDEX message_about ON public.message USING btree (provider_id, about_customer_id, id) WHERE (about_customer_id IS NOT NULL);
CREATE INDEX message_broadcast ON public.message USING btree (provider_id, broadcast_id, id) WHERE (broadcast_id IS NOT NULL);
CREATE INDEX message_broadcast_left ON public.message USING btree (provider_id, broadcast_id, send_at) WHERE ((broadcast_id IS NOT NULL) AND (status = ANY (ARRAY['queued'::text, 'sending'::text])));
CREATE INDEX message_broadcast_number ON public.message USING btree (provider_id, broadcast_id, recipient) WHERE ((broadcast_id IS NOT NULL) AND (channel = 'sms'::text));
CREATE INDEX message_code ON public.message USING btree (provider_id, recipient, queued_at) WHERE (kind = 'verification_code'::text);
CREATE INDEX message_customer ON public.message USING btree (provider_id, customer_id, id);
CREATE INDEX message_due ON public.message USING btree (channel, provider_id, purpose, ((broadcast_id IS NOT NULL)), send_at, id) WHERE (status = 'queued'::text);
CREATE INDEX message_sending ON public.message USING btree (claimed_by) WHERE (status = 'sending'::text);
CREATE INDEX message_staff ON public.message USING btree (provider_id, staff_id, id) WHERE (staff_id IS NOT NULL);
CREATE UNIQUE INDEX message_token ON public.message USING btree (token_hash) WHERE (token_hash IS NOT NULL);
CREATE UNIQUE INDEX message_unsubscribe ON public.message USING btree (unsubscribe_hash) WHERE (unsubscribe_hash IS NOT NULL);
CREATE POLICY across ON message FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON message FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE message TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE message TO rollcall_app;
ALTER TABLE message ENABLE ROW LEVEL SECURITY;
ALTER TABLE message FORCE ROW LEVEL SECURITY;

CREATE TABLE message_bounce (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  message_id bigint NOT NULL,
  address text NOT NULL,
  hard boolean NOT NULL,
  code text,
  at timestamp with time zone NOT NULL,
  CONSTRAINT message_bounce_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT message_bounce_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT message_bounce_provider_id_message_id_fkey FOREIGN KEY (provider_id, message_id) REFERENCES message(provider_id, id),
  CONSTRAINT message_bounce_code_check CHECK ((length(code) <= 20))
);
CREATE INDEX message_bounce_address ON public.message_bounce USING btree (provider_id, address, at);
CREATE INDEX message_bounce_message ON public.message_bounce USING btree (provider_id, message_id);
CREATE POLICY across ON message_bounce FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON message_bounce FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE message_bounce TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE message_bounce TO rollcall_app;
ALTER TABLE message_bounce ENABLE ROW LEVEL SECURITY;
ALTER TABLE message_bounce FORCE ROW LEVEL SECURITY;

CREATE TABLE notification_preference (
  provider_id bigint NOT NULL,
  customer_id bigint NOT NULL,
  type text NOT NULL,
  email_enabled boolean DEFAULT true NOT NULL,
  sms_enabled boolean DEFAULT true NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT notification_preference_pkey PRIMARY KEY (provider_id, customer_id, type),
  CONSTRAINT notification_preference_provider_id_customer_id_fkey FOREIGN KEY (provider_id, customer_id) REFERENCES customer(provider_id, id),
  CONSTRAINT notification_preference_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT notification_preference_type_check CHECK ((type ~ '^[a-z_]{1,60}$'::text))
);
CREATE POLICY across ON notification_preference FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON notification_preference FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE notification_preference TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE notification_preference TO rollcall_app;
ALTER TABLE notification_preference ENABLE ROW LEVEL SECURITY;
ALTER TABLE notification_preference FORCE ROW LEVEL SECURITY;

CREATE TABLE notification_type_setting (
  provider_id bigint NOT NULL,
  type text NOT NULL,
  email_enabled boolean,
  sms_enabled boolean,
  subject text,
  body text,
  sms_body text,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT notification_type_setting_pkey PRIMARY KEY (provider_id, type),
  CONSTRAINT notification_type_setting_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT notification_type_setting_body_check CHECK ((length(body) <= 20000)),
  CONSTRAINT notification_type_setting_sms_body_check CHECK ((length(sms_body) <= 1000)),
  CONSTRAINT notification_type_setting_subject_check CHECK ((length(subject) <= 300)),
  CONSTRAINT notification_type_setting_type_check CHECK ((type ~ '^[a-z_]{1,60}$'::text))
);
CREATE POLICY across ON notification_type_setting FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON notification_type_setting FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE notification_type_setting TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE notification_type_setting TO rollcall_app;
ALTER TABLE notification_type_setting ENABLE ROW LEVEL SECURITY;
ALTER TABLE notification_type_setting FORCE ROW LEVEL SECURITY;

CREATE TABLE offering_type (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  name text NOT NULL,
  description text,
  schedule_type text DEFAULT 'class'::text NOT NULL,
  category_id bigint,
  status text DEFAULT 'active'::text NOT NULL,
  customer_visibility text DEFAULT 'public'::text NOT NULL,
  color text DEFAULT '#ffffff'::text NOT NULL,
  background_color text DEFAULT '#3366cc'::text NOT NULL,
  sort_order integer,
  min_allowed_age integer,
  max_allowed_age integer,
  registrations_open_interval integer,
  registrations_close_interval integer,
  cancellation_notice_interval integer,
  waitlist_max integer,
  allows_dropins boolean DEFAULT true NOT NULL,
  dropin_price_minor bigint DEFAULT 0 NOT NULL,
  external_id text,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT offering_type_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT offering_type_provider_id_external_id_key UNIQUE (provider_id, external_id),
  CONSTRAINT offering_type_provider_id_category_id_fkey FOREIGN KEY (provider_id, category_id) REFERENCES offering_type_category(provider_id, id),
  CONSTRAINT offering_type_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT offering_type_background_color_check CHECK ((background_color ~ '^#[0-9a-f]{6}$'::text)),
  CONSTRAINT offering_type_cancellation_notice_interval_check CHECK ((cancellation_notice_interval >= 0)),
  CONSTRAINT offering_type_check CHECK ((min_allowed_age <= max_allowed_age)),
  CONSTRAINT offering_type_color_check CHECK ((color ~ '^#[0-9a-f]{6}$'::text)),
  CONSTRAINT offering_type_customer_visibility_check CHECK ((customer_visibility = ANY (ARRAY['public'::text, 'membership_holders'::text, 'private'::text]))),
  CONSTRAINT offering_type_dropin_price_minor_check CHECK ((dropin_price_minor >= 0)),
  CONSTRAINT offering_type_max_allowed_age_check CHECK (((max_allowed_age >= 0) AND (max_allowed_age <= 150))),
  CONSTRAINT offering_type_min_allowed_age_check CHECK (((min_allowed_age >= 0) AND (min_allowed_age <= 150))),
  CONSTRAINT offering_type_name_check CHECK (((length(name) >= 1) AND (length(name) <= 256))),
  CONSTRAINT offering_type_registrations_close_interval_check CHECK ((registrations_close_interval >= 0)),
  CONSTRAINT offering_type_registrations_open_interval_check CHECK ((registrations_open_interval >= 0)),
  CONSTRAINT offering_type_schedule_type_check CHECK ((schedule_type = ANY (ARRAY['class'::text, 'appointment'::text, 'room_rental'::text, 'course'::text]))),
  CONSTRAINT offering_type_status_check CHECK ((status = ANY (ARRAY['active'::text, 'archived'::text]))),
  CONSTRAINT offering_type_waitlist_max_check CHECK (((waitlist_max >= 0) AND (waitlist_max <= 65535)))
);
CREATE INDEX offering_type_order ON public.offering_type USING btree (provider_id, sort_order, id);
CREATE POLICY across ON offering_type FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON offering_type FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE offering_type TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE offering_type TO rollcall_app;
ALTER TABLE offering_type ENABLE ROW LEVEL SECURITY;
ALTER TABLE offering_type FORCE ROW LEVEL SECURITY;

CREATE TABLE offering_type_category (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  name text NOT NULL,
  external_id text,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT offering_type_category_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT offering_type_category_provider_id_external_id_key UNIQUE (provider_id, external_id),
  CONSTRAINT offering_type_category_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT offering_type_category_name_check CHECK (((length(name) >= 1) AND (length(name) <= 256)))
);
CREATE POLICY across ON offering_type_category FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON offering_type_category FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE offering_type_category TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE offering_type_category TO rollcall_app;
ALTER TABLE offering_type_category ENABLE ROW LEVEL SECURITY;
ALTER TABLE offering_type_category FORCE ROW LEVEL SECURITY;

CREATE TABLE offering_type_instructor (
  provider_id bigint NOT NULL,
  offering_type_id bigint NOT NULL,
  instructor_id bigint NOT NULL,
  CONSTRAINT offering_type_instructor_pkey PRIMARY KEY (provider_id, offering_type_id, instructor_id),
  CONSTRAINT offering_type_instructor_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT offering_type_instructor_provider_id_instructor_id_fkey FOREIGN KEY (provider_id, instructor_id) REFERENCES instructor(provider_id, id),
  CONSTRAINT offering_type_instructor_provider_id_offering_type_id_fkey FOREIGN KEY (provider_id, offering_type_id) REFERENCES offering_type(provider_id, id)
);
CREATE POLICY across ON offering_type_instructor FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON offering_type_instructor FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE offering_type_instructor TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE offering_type_instructor TO rollcall_app;
ALTER TABLE offering_type_instructor ENABLE ROW LEVEL SECURITY;
ALTER TABLE offering_type_instructor FORCE ROW LEVEL SECURITY;

CREATE TABLE offering_type_registration_timeline (
  provider_id bigint NOT NULL,
  offering_type_id bigint NOT NULL,
  registration_timeline_id bigint NOT NULL,
  CONSTRAINT offering_type_registration_timeline_pkey PRIMARY KEY (provider_id, offering_type_id, registration_timeline_id),
  CONSTRAINT offering_type_registration_ti_provider_id_offering_type_id_fkey FOREIGN KEY (provider_id, offering_type_id) REFERENCES offering_type(provider_id, id),
  CONSTRAINT offering_type_registration_ti_provider_id_registration_tim_fkey FOREIGN KEY (provider_id, registration_timeline_id) REFERENCES registration_timeline(provider_id, id),
  CONSTRAINT offering_type_registration_timeline_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id)
);
CREATE POLICY across ON offering_type_registration_timeline FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON offering_type_registration_timeline FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE offering_type_registration_timeline TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE offering_type_registration_timeline TO rollcall_app;
ALTER TABLE offering_type_registration_timeline ENABLE ROW LEVEL SECURITY;
ALTER TABLE offering_type_registration_timeline FORCE ROW LEVEL SECURITY;

CREATE TABLE oidc_record (
  model text NOT NULL,
  key bytea NOT NULL,
  payload jsonb NOT NULL,
  grant_id text,
  made_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone,
  consumed_at timestamp with time zone,
  CONSTRAINT oidc_record_pkey PRIMARY KEY (model, key)
);
CREATE INDEX oidc_record_expiry ON public.oidc_record USING btree (expires_at);
CREATE INDEX oidc_record_grant ON public.oidc_record USING btree (grant_id) WHERE (grant_id IS NOT NULL);
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE oidc_record TO rollcall_across;

CREATE TABLE operator_token (
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  name text NOT NULL,
  token_hash bytea NOT NULL,
  token_hint text NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  CONSTRAINT operator_token_pkey PRIMARY KEY (id),
  CONSTRAINT operator_token_token_hash_key UNIQUE (token_hash),
  CONSTRAINT operator_token_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100)))
);
CREATE CONSTRAINT TRIGGER access_delete AFTER DELETE ON public.operator_token DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((old.id IS NOT NULL)) EXECUTE FUNCTION access_changed('operator_token', 'id');
CREATE CONSTRAINT TRIGGER access_insert AFTER INSERT ON public.operator_token DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.id IS NOT NULL)) EXECUTE FUNCTION access_changed('operator_token', 'id');
CREATE CONSTRAINT TRIGGER access_update AFTER UPDATE ON public.operator_token DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((((old.id IS NOT NULL) OR (new.id IS NOT NULL)) AND ((old.revoked_at IS DISTINCT FROM new.revoked_at) OR (old.expires_at IS DISTINCT FROM new.expires_at)))) EXECUTE FUNCTION access_changed('operator_token', 'id');
GRANT INSERT, SELECT, UPDATE ON TABLE operator_token TO rollcall_across;

CREATE TABLE pending_login (
  provider_id bigint NOT NULL,
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  application_id bigint NOT NULL,
  user_id bigint NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  phone_hash bytea,
  code_hash bytea,
  attempts integer DEFAULT 0 NOT NULL,
  starts integer DEFAULT 0 NOT NULL,
  verification_key_hash bytea,
  verified_at timestamp with time zone,
  used_at timestamp with time zone,
  CONSTRAINT pending_login_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT pending_login_provider_id_application_id_fkey FOREIGN KEY (provider_id, application_id) REFERENCES application(provider_id, id),
  CONSTRAINT pending_login_user_id_fkey FOREIGN KEY (user_id) REFERENCES user_account(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX pending_login_id ON public.pending_login USING btree (id);
CREATE UNIQUE INDEX pending_login_key ON public.pending_login USING btree (verification_key_hash);
CREATE INDEX pending_login_phone ON public.pending_login USING btree (phone_hash) WHERE (phone_hash IS NOT NULL);
CREATE INDEX pending_login_user ON public.pending_login USING btree (user_id);
CREATE POLICY across ON pending_login FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON pending_login FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE pending_login TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE pending_login TO rollcall_app;
ALTER TABLE pending_login ENABLE ROW LEVEL SECURITY;
ALTER TABLE pending_login FORCE ROW LEVEL SECURITY;

CREATE TABLE provider (
  provider_id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  name text NOT NULL,
  description text DEFAULT ''::text NOT NULL,
  country text DEFAULT 'US'::text NOT NULL,
  currency text DEFAULT 'USD'::text NOT NULL,
  timezone text NOT NULL,
  contact_email text,
  contact_phone_number text,
  address jsonb,
  is_marketing_preference_on_customer_forms boolean DEFAULT true NOT NULL,
  registrations_open_interval integer,
  registrations_close_interval integer DEFAULT 0 NOT NULL,
  cancellation_notice_interval integer DEFAULT 0 NOT NULL,
  waitlist_max integer,
  waitlist_policy jsonb DEFAULT '[{"action": "auto_promote", "until_minutes_before": null}]'::jsonb NOT NULL,
  quiet_hours_start time without time zone,
  quiet_hours_end time without time zone,
  checkin_enabled boolean DEFAULT true NOT NULL,
  checkin_granularity text DEFAULT 'venue'::text NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  second_factor_required boolean DEFAULT false NOT NULL,
  brand_color text,
  bookings_without_membership text DEFAULT 'cancel'::text NOT NULL,
  domains text[] DEFAULT '{}'::text[] NOT NULL,
  CONSTRAINT provider_pkey PRIMARY KEY (provider_id),
  CONSTRAINT provider_bookings_without_membership_check CHECK ((bookings_without_membership = ANY (ARRAY['cancel'::text, 'keep'::text]))),
  CONSTRAINT provider_brand_color_check CHECK ((brand_color ~ '^#[0-9a-f]{6}$'::text)),
  CONSTRAINT provider_cancellation_notice_interval_check CHECK ((cancellation_notice_interval >= 0)),
  CONSTRAINT provider_checkin_granularity_check CHECK ((checkin_granularity = ANY (ARRAY['business'::text, 'venue'::text]))),
  CONSTRAINT provider_country_check CHECK ((country ~ '^[A-Z]{2}$'::text)),
  CONSTRAINT provider_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  CONSTRAINT provider_domains_check CHECK (((cardinality(domains) <= 50) AND (array_position(domains, NULL::text) IS NULL))),
  CONSTRAINT provider_name_check CHECK (((length(name) >= 1) AND (length(name) <= 255))),
  CONSTRAINT provider_registrations_close_interval_check CHECK ((registrations_close_interval >= 0)),
  CONSTRAINT provider_registrations_open_interval_check CHECK ((registrations_open_interval >= 0)),
  CONSTRAINT provider_waitlist_max_check CHECK ((waitlist_max >= 0))
);
CREATE CONSTRAINT TRIGGER access_delete AFTER DELETE ON public.provider DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((old.provider_id IS NOT NULL)) EXECUTE FUNCTION access_changed('provider', 'provider_id');
CREATE CONSTRAINT TRIGGER access_insert AFTER INSERT ON public.provider DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.provider_id IS NOT NULL)) EXECUTE FUNCTION access_changed('provider', 'provider_id');
CREATE CONSTRAINT TRIGGER access_update AFTER UPDATE ON public.provider DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((((old.provider_id IS NOT NULL) OR (new.provider_id IS NOT NULL)) AND (old.second_factor_required IS DISTINCT FROM new.second_factor_required))) EXECUTE FUNCTION access_changed('provider', 'provider_id');
CREATE TRIGGER provider_currency_stays BEFORE UPDATE OF currency ON public.provider FOR EACH ROW WHEN ((new.currency <> old.currency)) EXECUTE FUNCTION provider_currency_stays();
CREATE POLICY across ON provider FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON provider FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE provider TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE provider TO rollcall_app;
ALTER TABLE provider ENABLE ROW LEVEL SECURITY;
ALTER TABLE provider FORCE ROW LEVEL SECURITY;

CREATE TABLE recovery_code (
  user_id bigint NOT NULL,
  code_hash bytea NOT NULL,
  used_at timestamp with time zone,
  CONSTRAINT recovery_code_pkey PRIMARY KEY (user_id, code_hash),
  CONSTRAINT recovery_code_user_id_fkey FOREIGN KEY (user_id) REFERENCES user_account(id) ON DELETE CASCADE
);
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE recovery_code TO rollcall_across;

CREATE TABLE refresh_token (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  authorization_id bigint NOT NULL,
  token_hash bytea NOT NULL,
  mode text,
  scopes text[] NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  used_at timestamp with time zone,
  CONSTRAINT refresh_token_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT refresh_token_provider_id_authorization_id_fkey FOREIGN KEY (provider_id, authorization_id) REFERENCES app_authorization(provider_id, id) ON DELETE CASCADE,
  CONSTRAINT refresh_token_mode_check CHECK ((mode = ANY (ARRAY['customer'::text, 'provider'::text])))
);
CREATE INDEX refresh_token_expiry ON public.refresh_token USING btree (expires_at);
CREATE UNIQUE INDEX refresh_token_hash ON public.refresh_token USING btree (token_hash);
CREATE INDEX refresh_token_of ON public.refresh_token USING btree (provider_id, authorization_id);
CREATE POLICY across ON refresh_token FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON refresh_token FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE refresh_token TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE refresh_token TO rollcall_app;
ALTER TABLE refresh_token ENABLE ROW LEVEL SECURITY;
ALTER TABLE refresh_token FORCE ROW LEVEL SECURITY;

CREATE TABLE registration_timeline (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  name text,
  audience_type text DEFAULT 'everyone'::text NOT NULL,
  calendar_opens_interval integer,
  registrations_open_interval integer,
  registrations_close_interval integer,
  cancellation_notice_interval integer,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT registration_timeline_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT registration_timeline_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT registration_timeline_audience_type_check CHECK ((audience_type = ANY (ARRAY['everyone'::text, 'business_only'::text, 'membership_holders'::text, 'specific_memberships'::text, 'specific_customers'::text, 'private_url'::text]))),
  CONSTRAINT registration_timeline_calendar_opens_interval_check CHECK ((calendar_opens_interval >= 0)),
  CONSTRAINT registration_timeline_cancellation_notice_interval_check CHECK ((cancellation_notice_interval >= 0)),
  CONSTRAINT registration_timeline_name_check CHECK ((length(name) <= 256)),
  CONSTRAINT registration_timeline_registrations_close_interval_check CHECK ((registrations_close_interval >= 0)),
  CONSTRAINT registration_timeline_registrations_open_interval_check CHECK ((registrations_open_interval >= 0))
);
CREATE POLICY across ON registration_timeline FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON registration_timeline FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE registration_timeline TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE registration_timeline TO rollcall_app;
ALTER TABLE registration_timeline ENABLE ROW LEVEL SECURITY;
ALTER TABLE registration_timeline FORCE ROW LEVEL SECURITY;

CREATE TABLE registration_timeline_customer (
  provider_id bigint NOT NULL,
  registration_timeline_id bigint NOT NULL,
  customer_id bigint NOT NULL,
  CONSTRAINT registration_timeline_customer_pkey PRIMARY KEY (provider_id, registration_timeline_id, customer_id),
  CONSTRAINT registration_timeline_custome_provider_id_registration_tim_fkey FOREIGN KEY (provider_id, registration_timeline_id) REFERENCES registration_timeline(provider_id, id),
  CONSTRAINT registration_timeline_customer_provider_id_customer_id_fkey FOREIGN KEY (provider_id, customer_id) REFERENCES customer(provider_id, id),
  CONSTRAINT registration_timeline_customer_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id)
);
CREATE POLICY across ON registration_timeline_customer FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON registration_timeline_customer FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE registration_timeline_customer TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE registration_timeline_customer TO rollcall_app;
ALTER TABLE registration_timeline_customer ENABLE ROW LEVEL SECURITY;
ALTER TABLE registration_timeline_customer FORCE ROW LEVEL SECURITY;

CREATE TABLE registration_timeline_membership (
  provider_id bigint NOT NULL,
  registration_timeline_id bigint NOT NULL,
  membership_id bigint NOT NULL,
  CONSTRAINT registration_timeline_membership_pkey PRIMARY KEY (provider_id, registration_timeline_id, membership_id),
  CONSTRAINT registration_timeline_members_provider_id_registration_tim_fkey FOREIGN KEY (provider_id, registration_timeline_id) REFERENCES registration_timeline(provider_id, id),
  CONSTRAINT registration_timeline_membership_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT registration_timeline_membership_provider_id_membership_id_fkey FOREIGN KEY (provider_id, membership_id) REFERENCES membership(provider_id, id)
);
CREATE INDEX registration_timeline_membership_of ON public.registration_timeline_membership USING btree (provider_id, membership_id);
CREATE POLICY across ON registration_timeline_membership FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON registration_timeline_membership FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE registration_timeline_membership TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE registration_timeline_membership TO rollcall_app;
ALTER TABLE registration_timeline_membership ENABLE ROW LEVEL SECURITY;
ALTER TABLE registration_timeline_membership FORCE ROW LEVEL SECURITY;

CREATE TABLE row_count (
  provider_id bigint NOT NULL,
  relation text NOT NULL,
  slot integer NOT NULL,
  n bigint NOT NULL,
  CONSTRAINT row_count_pkey PRIMARY KEY (provider_id, relation, slot)
) WITH (fillfactor=50);
CREATE POLICY across ON row_count FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON row_count FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE row_count TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE row_count TO rollcall_app;
ALTER TABLE row_count ENABLE ROW LEVEL SECURITY;
ALTER TABLE row_count FORCE ROW LEVEL SECURITY;

CREATE TABLE schema_migration (
  version integer NOT NULL,
  name text NOT NULL,
  checksum text NOT NULL,
  applied_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT schema_migration_pkey PRIMARY KEY (version)
);

CREATE TABLE sign_up (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  email_key text NOT NULL,
  venue_id bigint,
  is_opted_into_broadcast_messages boolean NOT NULL,
  is_opted_into_sms_marketing boolean NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT sign_up_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT sign_up_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT sign_up_provider_id_venue_id_fkey FOREIGN KEY (provider_id, venue_id) REFERENCES venue(provider_id, id),
  CONSTRAINT sign_up_email_key_check CHECK ((length(email_key) <= 254))
);
CREATE INDEX sign_up_address ON public.sign_up USING btree (provider_id, email_key, created_at);
CREATE INDEX sign_up_age ON public.sign_up USING btree (created_at);
CREATE POLICY across ON sign_up FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON sign_up FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE sign_up TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE sign_up TO rollcall_app;
ALTER TABLE sign_up ENABLE ROW LEVEL SECURITY;
ALTER TABLE sign_up FORCE ROW LEVEL SECURITY;

CREATE TABLE signing_key (
  kid text NOT NULL,
  alg text NOT NULL,
  public_jwk jsonb NOT NULL,
  private_sealed text NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  signs_from timestamp with time zone NOT NULL,
  retired_at timestamp with time zone,
  published_until timestamp with time zone,
  CONSTRAINT signing_key_pkey PRIMARY KEY (kid)
);
CREATE CONSTRAINT TRIGGER access_delete AFTER DELETE ON public.signing_key DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((old.kid IS NOT NULL)) EXECUTE FUNCTION access_changed('signing_key', 'kid');
CREATE CONSTRAINT TRIGGER access_insert AFTER INSERT ON public.signing_key DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.kid IS NOT NULL)) EXECUTE FUNCTION access_changed('signing_key', 'kid');
CREATE CONSTRAINT TRIGGER access_update AFTER UPDATE ON public.signing_key DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((((old.kid IS NOT NULL) OR (new.kid IS NOT NULL)) AND ((old.retired_at IS DISTINCT FROM new.retired_at) OR (old.published_until IS DISTINCT FROM new.published_until)))) EXECUTE FUNCTION access_changed('signing_key', 'kid');
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE signing_key TO rollcall_across;

CREATE TABLE sms_account (
  provider_id bigint NOT NULL,
  customer_id bigint NOT NULL,
  country text NOT NULL,
  phone_number text NOT NULL,
  full_number text NOT NULL,
  enabled boolean NOT NULL,
  verified_at timestamp with time zone,
  code_hash bytea,
  code_expires_at timestamp with time zone,
  code_tries integer DEFAULT 0 NOT NULL,
  codes integer DEFAULT 0 NOT NULL,
  codes_since timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT sms_account_pkey PRIMARY KEY (provider_id, customer_id),
  CONSTRAINT sms_account_provider_id_customer_id_fkey FOREIGN KEY (provider_id, customer_id) REFERENCES customer(provider_id, id),
  CONSTRAINT sms_account_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT sms_account_country_check CHECK ((country ~ '^[A-Z]{2}$'::text)),
  CONSTRAINT sms_account_full_number_check CHECK ((full_number ~ '^\+[0-9]{6,15}$'::text)),
  CONSTRAINT sms_account_phone_number_check CHECK ((length(phone_number) <= 40))
);
CREATE POLICY across ON sms_account FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON sms_account FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE sms_account TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE sms_account TO rollcall_app;
ALTER TABLE sms_account ENABLE ROW LEVEL SECURITY;
ALTER TABLE sms_account FORCE ROW LEVEL SECURITY;

CREATE TABLE staff (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  user_id bigint,
  first_name text NOT NULL,
  last_name text NOT NULL,
  email text NOT NULL,
  permissions text[] DEFAULT '{}'::text[] NOT NULL,
  archived boolean DEFAULT false NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  venue_ids bigint[] DEFAULT '{}'::bigint[] NOT NULL,
  CONSTRAINT staff_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT staff_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT staff_user_id_fkey FOREIGN KEY (user_id) REFERENCES user_account(id),
  CONSTRAINT staff_admin_everywhere CHECK (((venue_ids = '{}'::bigint[]) OR (NOT ('super_admin'::text = ANY (permissions))))),
  CONSTRAINT staff_email_check CHECK (((length(email) >= 3) AND (length(email) <= 254))),
  CONSTRAINT staff_first_name_check CHECK (((length(first_name) >= 1) AND (length(first_name) <= 128))),
  CONSTRAINT staff_last_name_check CHECK (((length(last_name) >= 1) AND (length(last_name) <= 128))),
  CONSTRAINT staff_venue_ids_check CHECK ((array_position(venue_ids, NULL::bigint) IS NULL))
);
CREATE INDEX staff_account ON public.staff USING btree (user_id) WHERE (user_id IS NOT NULL);
CREATE UNIQUE INDEX staff_email ON public.staff USING btree (provider_id, lower(email)) WHERE (NOT archived);
CREATE UNIQUE INDEX staff_user ON public.staff USING btree (provider_id, user_id) WHERE (user_id IS NOT NULL);
CREATE CONSTRAINT TRIGGER access_delete AFTER DELETE ON public.staff DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((old.user_id IS NOT NULL)) EXECUTE FUNCTION access_changed('user', 'user_id');
CREATE CONSTRAINT TRIGGER access_insert AFTER INSERT ON public.staff DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.user_id IS NOT NULL)) EXECUTE FUNCTION access_changed('user', 'user_id');
CREATE CONSTRAINT TRIGGER access_update AFTER UPDATE ON public.staff DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((((old.user_id IS NOT NULL) OR (new.user_id IS NOT NULL)) AND ((old.user_id IS DISTINCT FROM new.user_id) OR (old.permissions IS DISTINCT FROM new.permissions) OR (old.venue_ids IS DISTINCT FROM new.venue_ids) OR (old.archived IS DISTINCT FROM new.archived)))) EXECUTE FUNCTION access_changed('user', 'user_id');
CREATE TRIGGER staff_venues_exist BEFORE INSERT OR UPDATE OF venue_ids ON public.staff FOR EACH ROW WHEN ((new.venue_ids <> '{}'::bigint[])) EXECUTE FUNCTION staff_venues_exist();
CREATE POLICY across ON staff FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON staff FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE staff TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE staff TO rollcall_app;
ALTER TABLE staff ENABLE ROW LEVEL SECURITY;
ALTER TABLE staff FORCE ROW LEVEL SECURITY;

CREATE TABLE suppression (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  channel text NOT NULL,
  address text NOT NULL,
  reason text NOT NULL,
  note text,
  message_id bigint,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT suppression_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT suppression_address UNIQUE (provider_id, channel, address),
  CONSTRAINT suppression_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT suppression_provider_id_message_id_fkey FOREIGN KEY (provider_id, message_id) REFERENCES message(provider_id, id),
  CONSTRAINT suppression_address_check CHECK (((length(address) >= 3) AND (length(address) <= 254))),
  CONSTRAINT suppression_channel_check CHECK ((channel = ANY (ARRAY['email'::text, 'sms'::text]))),
  CONSTRAINT suppression_note_check CHECK ((length(note) <= 500)),
  CONSTRAINT suppression_reason_check CHECK ((reason = ANY (ARRAY['unsubscribed'::text, 'bounced'::text, 'complained'::text, 'manual'::text])))
);
CREATE POLICY across ON suppression FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON suppression FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE suppression TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE suppression TO rollcall_app;
ALTER TABLE suppression ENABLE ROW LEVEL SECURITY;
ALTER TABLE suppression FORCE ROW LEVEL SECURITY;

CREATE TABLE terms_consent (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  membership_terms_id bigint NOT NULL,
  version integer NOT NULL,
  terms_version_id bigint NOT NULL,
  customer_id bigint NOT NULL,
  how text NOT NULL,
  actor text NOT NULL,
  by_customer_id bigint,
  by_staff_id bigint,
  agreed_at timestamp with time zone NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT terms_consent_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT terms_consent_provider_id_membership_terms_id_version_custo_key UNIQUE (provider_id, membership_terms_id, version, customer_id),
  CONSTRAINT terms_consent_provider_id_by_customer_id_fkey FOREIGN KEY (provider_id, by_customer_id) REFERENCES customer(provider_id, id),
  CONSTRAINT terms_consent_provider_id_by_staff_id_fkey FOREIGN KEY (provider_id, by_staff_id) REFERENCES staff(provider_id, id),
  CONSTRAINT terms_consent_provider_id_customer_id_fkey FOREIGN KEY (provider_id, customer_id) REFERENCES customer(provider_id, id),
  CONSTRAINT terms_consent_provider_id_membership_terms_id_version_term_fkey FOREIGN KEY (provider_id, membership_terms_id, version, terms_version_id) REFERENCES membership_terms_version(provider_id, membership_terms_id, version, id),
  CONSTRAINT terms_consent_check CHECK ((num_nonnulls(by_customer_id, by_staff_id) <= 1)),
  CONSTRAINT terms_consent_how_check CHECK ((how = ANY (ARRAY['online'::text, 'in_person'::text, 'on_paper'::text, 'by_phone'::text, 'by_email'::text])))
);
CREATE INDEX terms_consent_customer ON public.terms_consent USING btree (provider_id, customer_id, id);
CREATE TRIGGER terms_consent_stays BEFORE UPDATE OF membership_terms_id, version, terms_version_id, how, actor, agreed_at ON public.terms_consent FOR EACH ROW EXECUTE FUNCTION evidence_stays();
CREATE POLICY across ON terms_consent FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON terms_consent FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE terms_consent TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE terms_consent TO rollcall_app;
ALTER TABLE terms_consent ENABLE ROW LEVEL SECURITY;
ALTER TABLE terms_consent FORCE ROW LEVEL SECURITY;

CREATE TABLE user_account (
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  email text NOT NULL,
  password_hash text,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  email_key text NOT NULL,
  first_name text DEFAULT ''::text NOT NULL,
  last_name text DEFAULT ''::text NOT NULL,
  email_confirmed_at timestamp with time zone,
  password_changed_at timestamp with time zone,
  totp_secret text,
  totp_confirmed_at timestamp with time zone,
  totp_last_step bigint,
  disabled_at timestamp with time zone,
  profile_changed_at timestamp with time zone DEFAULT now() NOT NULL,
  access_ended_at timestamp with time zone,
  CONSTRAINT user_account_pkey PRIMARY KEY (id),
  CONSTRAINT user_account_check CHECK (((totp_confirmed_at IS NULL) OR (totp_secret IS NOT NULL))),
  CONSTRAINT user_account_email_check CHECK ((length(email) <= 254)),
  CONSTRAINT user_account_email_key_check CHECK ((length(email_key) <= 254)),
  CONSTRAINT user_account_first_name_check CHECK ((length(first_name) <= 128)),
  CONSTRAINT user_account_last_name_check CHECK ((length(last_name) <= 128))
);
CREATE UNIQUE INDEX user_account_email_key ON public.user_account USING btree (email_key);
CREATE INDEX user_account_unconfirmed ON public.user_account USING btree (created_at) WHERE (email_confirmed_at IS NULL);
CREATE CONSTRAINT TRIGGER access_delete AFTER DELETE ON public.user_account DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((old.id IS NOT NULL)) EXECUTE FUNCTION access_changed('user', 'id');
CREATE CONSTRAINT TRIGGER access_insert AFTER INSERT ON public.user_account DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.id IS NOT NULL)) EXECUTE FUNCTION access_changed('user', 'id');
CREATE CONSTRAINT TRIGGER access_update AFTER UPDATE ON public.user_account DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((((old.id IS NOT NULL) OR (new.id IS NOT NULL)) AND ((old.disabled_at IS DISTINCT FROM new.disabled_at) OR (old.password_changed_at IS DISTINCT FROM new.password_changed_at) OR (old.access_ended_at IS DISTINCT FROM new.access_ended_at)))) EXECUTE FUNCTION access_changed('user', 'id');
CREATE TRIGGER user_account_profile BEFORE UPDATE ON public.user_account FOR EACH ROW WHEN (((((old.email IS DISTINCT FROM new.email) OR (old.email_confirmed_at IS DISTINCT FROM new.email_confirmed_at)) OR (old.first_name IS DISTINCT FROM new.first_name)) OR (old.last_name IS DISTINCT FROM new.last_name))) EXECUTE FUNCTION note_profile_change();
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE user_account TO rollcall_across;

CREATE TABLE user_event (
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  user_id bigint NOT NULL,
  kind text NOT NULL,
  at timestamp with time zone NOT NULL,
  provider_id bigint,
  application text,
  network text,
  agent text,
  CONSTRAINT user_event_pkey PRIMARY KEY (id),
  CONSTRAINT user_event_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT user_event_user_id_fkey FOREIGN KEY (user_id) REFERENCES user_account(id) ON DELETE CASCADE,
  CONSTRAINT user_event_agent_check CHECK ((length(agent) <= 200)),
  CONSTRAINT user_event_application_check CHECK ((length(application) <= 255)),
  CONSTRAINT user_event_kind_check CHECK ((kind ~ '^[a-z_]{1,40}$'::text)),
  CONSTRAINT user_event_network_check CHECK ((length(network) <= 50))
);
CREATE INDEX user_event_age ON public.user_event USING btree (at);
CREATE INDEX user_event_user ON public.user_event USING btree (user_id, id);
GRANT DELETE, INSERT, SELECT ON TABLE user_event TO rollcall_across;

CREATE TABLE user_session (
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  user_id bigint NOT NULL,
  token_hash bytea NOT NULL,
  agent text DEFAULT ''::text NOT NULL,
  second_factor boolean DEFAULT false NOT NULL,
  created_at timestamp with time zone NOT NULL,
  seen_at timestamp with time zone NOT NULL,
  authenticated_at timestamp with time zone NOT NULL,
  CONSTRAINT user_session_pkey PRIMARY KEY (id),
  CONSTRAINT user_session_token_hash_key UNIQUE (token_hash),
  CONSTRAINT user_session_user_id_fkey FOREIGN KEY (user_id) REFERENCES user_account(id) ON DELETE CASCADE,
  CONSTRAINT user_session_agent_check CHECK ((length(agent) <= 200))
);
CREATE INDEX user_session_seen ON public.user_session USING btree (seen_at);
CREATE INDEX user_session_user ON public.user_session USING btree (user_id);
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE user_session TO rollcall_across;

CREATE TABLE venue (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  name text NOT NULL,
  description text,
  venue_type text DEFAULT 'physical'::text NOT NULL,
  timezone text NOT NULL,
  physical_address jsonb,
  video_url text,
  video_url_type text DEFAULT 'static'::text NOT NULL,
  archived boolean DEFAULT false NOT NULL,
  external_id text,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT venue_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT venue_provider_id_external_id_key UNIQUE (provider_id, external_id),
  CONSTRAINT venue_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT venue_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
  CONSTRAINT venue_venue_type_check CHECK ((venue_type = ANY (ARRAY['physical'::text, 'online'::text]))),
  CONSTRAINT venue_video_url_type_check CHECK ((video_url_type = ANY (ARRAY['static'::text, 'zoom'::text])))
);
CREATE POLICY across ON venue FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON venue FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE venue TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE venue TO rollcall_app;
ALTER TABLE venue ENABLE ROW LEVEL SECURITY;
ALTER TABLE venue FORCE ROW LEVEL SECURITY;

CREATE TABLE venue_room (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  venue_id bigint NOT NULL,
  name text NOT NULL,
  status text DEFAULT 'active'::text NOT NULL,
  allows_double_booking boolean DEFAULT false NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT venue_room_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT venue_room_provider_id_venue_id_id_key UNIQUE (provider_id, venue_id, id),
  CONSTRAINT venue_room_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT venue_room_provider_id_venue_id_fkey FOREIGN KEY (provider_id, venue_id) REFERENCES venue(provider_id, id),
  CONSTRAINT venue_room_name_check CHECK (((length(name) >= 1) AND (length(name) <= 64))),
  CONSTRAINT venue_room_status_check CHECK ((status = ANY (ARRAY['active'::text, 'archived'::text])))
);
CREATE POLICY across ON venue_room FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON venue_room FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE venue_room TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE venue_room TO rollcall_app;
ALTER TABLE venue_room ENABLE ROW LEVEL SECURITY;
ALTER TABLE venue_room FORCE ROW LEVEL SECURITY;

CREATE TABLE waitlist_spot (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  event_id bigint NOT NULL,
  customer_id bigint NOT NULL,
  status text DEFAULT 'on_waitlist'::text NOT NULL,
  added_at timestamp with time zone DEFAULT now() NOT NULL,
  spot_reserved_at timestamp with time zone,
  reserved_spot_expires_at timestamp with time zone,
  promote_after_cutoff boolean DEFAULT false NOT NULL,
  ended_at timestamp with time zone,
  end_reason text,
  CONSTRAINT waitlist_spot_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT waitlist_spot_attendance FOREIGN KEY (provider_id, event_id, customer_id) REFERENCES attendance(provider_id, event_id, customer_id) DEFERRABLE,
  CONSTRAINT waitlist_spot_provider_id_customer_id_fkey FOREIGN KEY (provider_id, customer_id) REFERENCES customer(provider_id, id),
  CONSTRAINT waitlist_spot_provider_id_event_id_fkey FOREIGN KEY (provider_id, event_id) REFERENCES event(provider_id, id),
  CONSTRAINT waitlist_spot_check CHECK (((ended_at IS NULL) = (end_reason IS NULL))),
  CONSTRAINT waitlist_spot_check1 CHECK (((status = 'spot_reserved'::text) <= (reserved_spot_expires_at IS NOT NULL))),
  CONSTRAINT waitlist_spot_end_reason_check CHECK ((end_reason = ANY (ARRAY['promoted'::text, 'claimed'::text, 'registered'::text, 'left'::text, 'expired'::text, 'rejected'::text, 'event_cancelled'::text]))),
  CONSTRAINT waitlist_spot_status_check CHECK ((status = ANY (ARRAY['on_waitlist'::text, 'spot_reserved'::text, 'expired'::text, 'rejected'::text])))
);
CREATE UNIQUE INDEX waitlist_spot_active ON public.waitlist_spot USING btree (provider_id, event_id, customer_id) WHERE (ended_at IS NULL);
CREATE INDEX waitlist_spot_customer ON public.waitlist_spot USING btree (provider_id, customer_id, event_id);
CREATE INDEX waitlist_spot_expiry ON public.waitlist_spot USING btree (reserved_spot_expires_at) WHERE ((ended_at IS NULL) AND (status = 'spot_reserved'::text));
CREATE INDEX waitlist_spot_queue ON public.waitlist_spot USING btree (provider_id, event_id, id) WHERE (ended_at IS NULL);
CREATE TRIGGER waitlist_seats_delete AFTER DELETE ON public.waitlist_spot REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION waitlist_seats_delete();
CREATE TRIGGER waitlist_seats_insert AFTER INSERT ON public.waitlist_spot REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION waitlist_seats_insert();
CREATE TRIGGER waitlist_seats_update AFTER UPDATE ON public.waitlist_spot REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION waitlist_seats();
CREATE POLICY across ON waitlist_spot FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON waitlist_spot FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE waitlist_spot TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE waitlist_spot TO rollcall_app;
ALTER TABLE waitlist_spot ENABLE ROW LEVEL SECURITY;
ALTER TABLE waitlist_spot FORCE ROW LEVEL SECURITY;

CREATE TABLE webhook_attempt (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  delivery_id bigint NOT NULL,
  started_at timestamp with time zone NOT NULL,
  duration_ms integer NOT NULL,
  response_status integer,
  response_headers jsonb,
  response_body text,
  error text,
  CONSTRAINT webhook_attempt_pkey PRIMARY KEY (provider_id, delivery_id, id),
  CONSTRAINT webhook_attempt_provider_id_delivery_id_fkey FOREIGN KEY (provider_id, delivery_id) REFERENCES webhook_delivery(provider_id, id) ON DELETE CASCADE,
  CONSTRAINT webhook_attempt_error_check CHECK ((length(error) <= 1000)),
  CONSTRAINT webhook_attempt_response_body_check CHECK ((length(response_body) <= 4000))
);
CREATE POLICY across ON webhook_attempt FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON webhook_attempt FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE webhook_attempt TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE webhook_attempt TO rollcall_app;
ALTER TABLE webhook_attempt ENABLE ROW LEVEL SECURITY;
ALTER TABLE webhook_attempt FORCE ROW LEVEL SECURITY;

CREATE TABLE webhook_delivery (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  destination_id bigint NOT NULL,
  seq bigint,
  kind text NOT NULL,
  message_id uuid DEFAULT gen_random_uuid() NOT NULL,
  status text DEFAULT 'pending'::text NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  failures integer DEFAULT 0 NOT NULL,
  next_attempt_at timestamp with time zone NOT NULL,
  body text,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  ended_at timestamp with time zone,
  CONSTRAINT webhook_delivery_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT webhook_delivery_provider_id_destination_id_seq_key UNIQUE (provider_id, destination_id, seq),
  CONSTRAINT webhook_delivery_provider_id_destination_id_fkey FOREIGN KEY (provider_id, destination_id) REFERENCES webhook_destination(provider_id, id),
  CONSTRAINT webhook_delivery_check CHECK (((status = 'pending'::text) = (ended_at IS NULL))),
  CONSTRAINT webhook_delivery_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'parked'::text, 'cancelled'::text])))
);
CREATE INDEX webhook_delivery_due ON public.webhook_delivery USING btree (provider_id, destination_id, next_attempt_at, id) WHERE (status = 'pending'::text);
CREATE INDEX webhook_delivery_message ON public.webhook_delivery USING btree (provider_id, message_id);
CREATE INDEX webhook_delivery_parked ON public.webhook_delivery USING btree (provider_id, id) WHERE (status = 'parked'::text);
CREATE INDEX webhook_delivery_with_body ON public.webhook_delivery USING btree (ended_at) WHERE ((ended_at IS NOT NULL) AND (body IS NOT NULL));
CREATE INDEX webhook_delivery_without_body ON public.webhook_delivery USING btree (ended_at) WHERE ((ended_at IS NOT NULL) AND (body IS NULL));
CREATE POLICY across ON webhook_delivery FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON webhook_delivery FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE webhook_delivery TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE webhook_delivery TO rollcall_app;
ALTER TABLE webhook_delivery ENABLE ROW LEVEL SECURITY;
ALTER TABLE webhook_delivery FORCE ROW LEVEL SECURITY;

CREATE TABLE webhook_destination (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  url text NOT NULL,
  description text,
  feed_item_types text[] NOT NULL,
  status text DEFAULT 'active'::text NOT NULL,
  status_reason text,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  deleted_at timestamp with time zone,
  CONSTRAINT webhook_destination_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT webhook_destination_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT webhook_destination_description_check CHECK ((length(description) <= 1000)),
  CONSTRAINT webhook_destination_feed_item_types_check CHECK ((cardinality(feed_item_types) > 0)),
  CONSTRAINT webhook_destination_status_check CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text, 'disabled'::text]))),
  CONSTRAINT webhook_destination_status_reason_check CHECK ((length(status_reason) <= 1000)),
  CONSTRAINT webhook_destination_url_check CHECK (((length(url) >= 1) AND (length(url) <= 2000)))
);
CREATE POLICY across ON webhook_destination FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON webhook_destination FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE webhook_destination TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE webhook_destination TO rollcall_app;
ALTER TABLE webhook_destination ENABLE ROW LEVEL SECURITY;
ALTER TABLE webhook_destination FORCE ROW LEVEL SECURITY;

CREATE TABLE webhook_lane (
  provider_id bigint NOT NULL,
  destination_id bigint NOT NULL,
  leased_by uuid,
  leased_until timestamp with time zone,
  failures integer DEFAULT 0 NOT NULL,
  failing_since timestamp with time zone,
  not_before timestamp with time zone,
  slow boolean DEFAULT false NOT NULL,
  served_at timestamp with time zone,
  CONSTRAINT webhook_lane_pkey PRIMARY KEY (provider_id, destination_id),
  CONSTRAINT webhook_lane_provider_id_destination_id_fkey FOREIGN KEY (provider_id, destination_id) REFERENCES webhook_destination(provider_id, id)
);
CREATE POLICY across ON webhook_lane FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON webhook_lane FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE webhook_lane TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE webhook_lane TO rollcall_app;
ALTER TABLE webhook_lane ENABLE ROW LEVEL SECURITY;
ALTER TABLE webhook_lane FORCE ROW LEVEL SECURITY;

CREATE TABLE webhook_secret (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  destination_id bigint NOT NULL,
  sealed text NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  expires_at timestamp with time zone,
  CONSTRAINT webhook_secret_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT webhook_secret_provider_id_destination_id_fkey FOREIGN KEY (provider_id, destination_id) REFERENCES webhook_destination(provider_id, id)
);
CREATE INDEX webhook_secret_of ON public.webhook_secret USING btree (provider_id, destination_id, id);
CREATE POLICY across ON webhook_secret FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON webhook_secret FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE webhook_secret TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE webhook_secret TO rollcall_app;
ALTER TABLE webhook_secret ENABLE ROW LEVEL SECURITY;
ALTER TABLE webhook_secret FORCE ROW LEVEL SECURITY;

CREATE TABLE workflow (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  name text,
  trigger text NOT NULL,
  is_enabled boolean DEFAULT true NOT NULL,
  enabled_at timestamp with time zone DEFAULT now() NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  deleted_at timestamp with time zone,
  CONSTRAINT workflow_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT workflow_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT workflow_name_check CHECK (((length(name) >= 1) AND (length(name) <= 255))),
  CONSTRAINT workflow_trigger_check CHECK ((length(trigger) <= 100))
);
CREATE INDEX workflow_trigger ON public.workflow USING btree (provider_id, trigger) WHERE ((deleted_at IS NULL) AND is_enabled);
CREATE POLICY across ON workflow FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON workflow FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE workflow TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE workflow TO rollcall_app;
ALTER TABLE workflow ENABLE ROW LEVEL SECURITY;
ALTER TABLE workflow FORCE ROW LEVEL SECURITY;

CREATE TABLE workflow_action (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  workflow_id bigint NOT NULL,
  name text,
  action_type text NOT NULL,
  conditions jsonb DEFAULT '[]'::jsonb NOT NULL,
  settings jsonb DEFAULT '{}'::jsonb NOT NULL,
  scheduled_delay text,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  deleted_at timestamp with time zone,
  CONSTRAINT workflow_action_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT workflow_action_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT workflow_action_provider_id_workflow_id_fkey FOREIGN KEY (provider_id, workflow_id) REFERENCES workflow(provider_id, id),
  CONSTRAINT workflow_action_action_type_check CHECK ((length(action_type) <= 40)),
  CONSTRAINT workflow_action_name_check CHECK (((length(name) >= 1) AND (length(name) <= 255))),
  CONSTRAINT workflow_action_scheduled_delay_check CHECK ((length(scheduled_delay) <= 40))
);
CREATE INDEX workflow_action_workflow ON public.workflow_action USING btree (provider_id, workflow_id) WHERE (deleted_at IS NULL);
CREATE POLICY across ON workflow_action FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON workflow_action FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE workflow_action TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE workflow_action TO rollcall_app;
ALTER TABLE workflow_action ENABLE ROW LEVEL SECURITY;
ALTER TABLE workflow_action FORCE ROW LEVEL SECURITY;

CREATE TABLE workflow_run (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  workflow_id bigint NOT NULL,
  customer_id bigint NOT NULL,
  feed_item bigint NOT NULL,
  trigger text NOT NULL,
  payload jsonb NOT NULL,
  triggered_at timestamp with time zone NOT NULL,
  status text NOT NULL,
  reason text,
  caused_by_id bigint,
  depth integer DEFAULT 0 NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  finished_at timestamp with time zone,
  CONSTRAINT workflow_run_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT workflow_run_once UNIQUE (provider_id, workflow_id, feed_item),
  CONSTRAINT workflow_run_provider_id_caused_by_id_fkey FOREIGN KEY (provider_id, caused_by_id) REFERENCES workflow_run(provider_id, id),
  CONSTRAINT workflow_run_provider_id_customer_id_fkey FOREIGN KEY (provider_id, customer_id) REFERENCES customer(provider_id, id),
  CONSTRAINT workflow_run_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT workflow_run_provider_id_workflow_id_fkey FOREIGN KEY (provider_id, workflow_id) REFERENCES workflow(provider_id, id),
  CONSTRAINT workflow_run_depth_check CHECK ((depth >= 0)),
  CONSTRAINT workflow_run_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'done'::text, 'stopped'::text])))
);
CREATE INDEX workflow_run_customer ON public.workflow_run USING btree (provider_id, customer_id, id);
CREATE INDEX workflow_run_recent ON public.workflow_run USING btree (provider_id, workflow_id, customer_id, created_at);
CREATE POLICY across ON workflow_run FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON workflow_run FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE workflow_run TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE workflow_run TO rollcall_app;
ALTER TABLE workflow_run ENABLE ROW LEVEL SECURITY;
ALTER TABLE workflow_run FORCE ROW LEVEL SECURITY;

CREATE TABLE workflow_step (
  provider_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  workflow_run_id bigint NOT NULL,
  workflow_action_id bigint NOT NULL,
  due_at timestamp with time zone NOT NULL,
  status text DEFAULT 'waiting'::text NOT NULL,
  reason text,
  conditions jsonb DEFAULT '[]'::jsonb NOT NULL,
  effect jsonb,
  finished_at timestamp with time zone,
  CONSTRAINT workflow_step_pkey PRIMARY KEY (provider_id, id),
  CONSTRAINT workflow_step_once UNIQUE (provider_id, workflow_run_id, workflow_action_id),
  CONSTRAINT workflow_step_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(provider_id),
  CONSTRAINT workflow_step_provider_id_workflow_action_id_fkey FOREIGN KEY (provider_id, workflow_action_id) REFERENCES workflow_action(provider_id, id),
  CONSTRAINT workflow_step_provider_id_workflow_run_id_fkey FOREIGN KEY (provider_id, workflow_run_id) REFERENCES workflow_run(provider_id, id),
  CONSTRAINT workflow_step_check CHECK (((status = 'waiting'::text) = (finished_at IS NULL))),
  CONSTRAINT workflow_step_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'acted'::text, 'skipped'::text, 'stopped'::text])))
);
CREATE POLICY across ON workflow_step FOR ALL TO rollcall_across USING (true);
CREATE POLICY tenant ON workflow_step FOR ALL TO rollcall_app USING ((provider_id = current_provider_id()));
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE workflow_step TO rollcall_across;
GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE workflow_step TO rollcall_app;
ALTER TABLE workflow_step ENABLE ROW LEVEL SECURITY;
ALTER TABLE workflow_step FORCE ROW LEVEL SECURITY;

CREATE VIEW /* security_invoker=true */ customer_membership_held AS
 SELECT DISTINCT u.provider_id,
    u.customer_id,
    cm.membership_id
   FROM (customer_membership_user u
     JOIN customer_membership cm ON (((cm.provider_id = u.provider_id) AND (cm.id = u.customer_membership_id))))
  WHERE (cm.status = 'active'::text);

CREATE VIEW /* security_invoker=true */ customer_membership_user AS
 SELECT cm.provider_id,
    cm.id AS customer_membership_id,
    cm.customer_id,
    true AS own
   FROM customer_membership cm
UNION ALL
 SELECT s.provider_id,
    s.customer_membership_id,
    s.customer_id,
    false AS own
   FROM customer_membership_share s
UNION ALL
 SELECT member.provider_id,
    cm.id AS customer_membership_id,
    member.id AS customer_id,
    false AS own
   FROM ((customer member
     JOIN customer holder ON (((holder.provider_id = member.provider_id) AND (holder.family_id = member.family_id) AND (holder.id <> member.id))))
     JOIN customer_membership cm ON (((cm.provider_id = holder.provider_id) AND (cm.customer_id = holder.id) AND cm.shared_with_family)));

CREATE VIEW /* security_invoker=true */ membership_coverage AS
 SELECT m.provider_id,
    m.id AS membership_id,
    o.id AS offering_type_id
   FROM (membership m
     JOIN offering_type o ON ((o.provider_id = m.provider_id)))
  WHERE ((
        CASE
            WHEN (o.schedule_type = 'course'::text) THEN 'course'::text
            ELSE 'event'::text
        END = ANY (m.allotment_types)) AND ((EXISTS ( SELECT
           FROM membership_registration_grant g
          WHERE ((g.provider_id = m.provider_id) AND (g.membership_id = m.id) AND (g.offering_type_id = o.id)))) OR (NOT (EXISTS ( SELECT
           FROM membership_registration_grant g
          WHERE ((g.provider_id = m.provider_id) AND (g.membership_id = m.id)))))) AND (NOT (EXISTS ( SELECT
           FROM (membership_limit l
             LEFT JOIN membership_limit_offering_type x ON (((x.provider_id = l.provider_id) AND (x.membership_limit_id = l.id) AND (x.offering_type_id = o.id))))
          WHERE ((l.provider_id = m.provider_id) AND (l.membership_id = m.id) AND (COALESCE(x.max_uses, l.max_uses) = 0))))));

GRANT USAGE ON SEQUENCE app_authorization_id_seq TO rollcall_across;
GRANT USAGE ON SEQUENCE app_authorization_id_seq TO rollcall_app;
GRANT USAGE ON SEQUENCE application_id_seq TO rollcall_across;
GRANT USAGE ON SEQUENCE application_id_seq TO rollcall_app;
GRANT USAGE ON SEQUENCE application_secret_id_seq TO rollcall_across;
GRANT USAGE ON SEQUENCE application_secret_id_seq TO rollcall_app;
GRANT USAGE ON SEQUENCE attendance_id_seq TO rollcall_across;
GRANT USAGE ON SEQUENCE attendance_id_seq TO rollcall_app;
GRANT USAGE ON SEQUENCE audit_entry_id_seq TO rollcall_across;
GRANT USAGE ON SEQUENCE audit_entry_id_seq TO rollcall_app;
GRANT USAGE ON SEQUENCE bulk_action_id_seq TO rollcall_across;
GRANT USAGE ON SEQUENCE bulk_action_id_seq TO rollcall_app;
GRANT USAGE ON SEQUENCE bulk_action_result_id_seq TO rollcall_across;
GRANT USAGE ON SEQUENCE bulk_action_result_id_seq TO rollcall_app;
GRANT USAGE ON SEQUENCE checkin_id_seq TO rollcall_across;
GRANT USAGE ON SEQUENCE checkin_id_seq TO rollcall_app;
GRANT USAGE ON SEQUENCE customer_id_seq TO rollcall_across;
GRANT USAGE ON SEQUENCE customer_id_seq TO rollcall_app;
GRANT USAGE ON SEQUENCE customer_label_id_seq TO rollcall_across;
GRANT USAGE ON SEQUENCE customer_label_id_seq TO rollcall_app;
GRANT SELECT ON TABLE customer_membership_held TO rollcall_across;
GRANT SELECT ON TABLE customer_membership_held TO rollcall_app;
GRANT SELECT ON TABLE customer_membership_user TO rollcall_across;
GRANT SELECT ON TABLE customer_membership_user TO rollcall_app;
GRANT USAGE ON SEQUENCE customer_note_id_seq TO rollcall_across;
GRANT USAGE ON SEQUENCE customer_note_id_seq TO rollcall_app;
GRANT USAGE ON SEQUENCE customer_status_id_seq TO rollcall_across;
GRANT USAGE ON SEQUENCE customer_status_id_seq TO rollcall_app;
GRANT USAGE ON SEQUENCE customer_task_id_seq TO rollcall_across;
GRANT USAGE ON SEQUENCE customer_task_id_seq TO rollcall_app;
GRANT USAGE ON SEQUENCE event_id_seq TO rollcall_across;
GRANT USAGE ON SEQUENCE event_id_seq TO rollcall_app;
GRANT USAGE ON SEQUENCE event_series_id_seq TO rollcall_across;
GRANT USAGE ON SEQUENCE event_series_id_seq TO rollcall_app;
GRANT USAGE ON SEQUENCE family_id_seq TO rollcall_across;
GRANT USAGE ON SEQUENCE family_id_seq TO rollcall_app;
GRANT USAGE ON SEQUENCE feed_item_id_seq TO rollcall_across;
GRANT USAGE ON SEQUENCE feed_item_id_seq TO rollcall_app;
GRANT USAGE ON SEQUENCE instructor_id_seq TO rollcall_across;
GRANT USAGE ON SEQUENCE instructor_id_seq TO rollcall_app;
GRANT USAGE ON SEQUENCE job_id_seq TO rollcall_across;
GRANT USAGE ON SEQUENCE job_id_seq TO rollcall_app;
GRANT USAGE ON SEQUENCE machine_token_id_seq TO rollcall_across;
GRANT USAGE ON SEQUENCE machine_token_id_seq TO rollcall_app;
GRANT USAGE ON SEQUENCE mail_outbox_id_seq TO rollcall_across;
GRANT USAGE ON SEQUENCE mail_outbox_id_seq TO rollcall_app;
GRANT SELECT ON TABLE membership_coverage TO rollcall_across;
GRANT SELECT ON TABLE membership_coverage TO rollcall_app;
GRANT USAGE ON SEQUENCE offering_type_category_id_seq TO rollcall_across;
GRANT USAGE ON SEQUENCE offering_type_category_id_seq TO rollcall_app;
GRANT USAGE ON SEQUENCE offering_type_id_seq TO rollcall_across;
GRANT USAGE ON SEQUENCE offering_type_id_seq TO rollcall_app;
GRANT USAGE ON SEQUENCE operator_token_id_seq TO rollcall_across;
GRANT USAGE ON SEQUENCE operator_token_id_seq TO rollcall_app;
GRANT USAGE ON SEQUENCE provider_provider_id_seq TO rollcall_across;
GRANT USAGE ON SEQUENCE provider_provider_id_seq TO rollcall_app;
GRANT USAGE ON SEQUENCE refresh_token_id_seq TO rollcall_across;
GRANT USAGE ON SEQUENCE refresh_token_id_seq TO rollcall_app;
GRANT USAGE ON SEQUENCE registration_timeline_id_seq TO rollcall_across;
GRANT USAGE ON SEQUENCE registration_timeline_id_seq TO rollcall_app;
GRANT USAGE ON SEQUENCE sign_up_id_seq TO rollcall_across;
GRANT USAGE ON SEQUENCE sign_up_id_seq TO rollcall_app;
GRANT USAGE ON SEQUENCE staff_id_seq TO rollcall_across;
GRANT USAGE ON SEQUENCE staff_id_seq TO rollcall_app;
GRANT USAGE ON SEQUENCE user_account_id_seq TO rollcall_across;
GRANT USAGE ON SEQUENCE user_account_id_seq TO rollcall_app;
GRANT USAGE ON SEQUENCE user_event_id_seq TO rollcall_across;
GRANT USAGE ON SEQUENCE user_event_id_seq TO rollcall_app;
GRANT USAGE ON SEQUENCE user_session_id_seq TO rollcall_across;
GRANT USAGE ON SEQUENCE user_session_id_seq TO rollcall_app;
GRANT USAGE ON SEQUENCE venue_id_seq TO rollcall_across;
GRANT USAGE ON SEQUENCE venue_id_seq TO rollcall_app;
GRANT USAGE ON SEQUENCE venue_room_id_seq TO rollcall_across;
GRANT USAGE ON SEQUENCE venue_room_id_seq TO rollcall_app;
GRANT USAGE ON SEQUENCE waitlist_spot_id_seq TO rollcall_across;
GRANT USAGE ON SEQUENCE waitlist_spot_id_seq TO rollcall_app;
GRANT USAGE ON SEQUENCE webhook_attempt_id_seq TO rollcall_across;
GRANT USAGE ON SEQUENCE webhook_attempt_id_seq TO rollcall_app;
GRANT USAGE ON SEQUENCE webhook_delivery_id_seq TO rollcall_across;
GRANT USAGE ON SEQUENCE webhook_delivery_id_seq TO rollcall_app;
GRANT USAGE ON SEQUENCE webhook_destination_id_seq TO rollcall_across;
GRANT USAGE ON SEQUENCE webhook_destination_id_seq TO rollcall_app;
GRANT USAGE ON SEQUENCE webhook_secret_id_seq TO rollcall_across;
GRANT USAGE ON SEQUENCE webhook_secret_id_seq TO rollcall_app;
GRANT USAGE ON SEQUENCE workflow_action_id_seq TO rollcall_across;
GRANT USAGE ON SEQUENCE workflow_action_id_seq TO rollcall_app;
GRANT USAGE ON SEQUENCE workflow_id_seq TO rollcall_across;
GRANT USAGE ON SEQUENCE workflow_id_seq TO rollcall_app;
GRANT USAGE ON SEQUENCE workflow_run_id_seq TO rollcall_across;
GRANT USAGE ON SEQUENCE workflow_run_id_seq TO rollcall_app;
GRANT USAGE ON SEQUENCE workflow_step_id_seq TO rollcall_across;
GRANT USAGE ON SEQUENCE workflow_step_id_seq TO rollcall_app;

GRANT EXECUTE ON ROUTINE enqueue_job(text,json,text,timestamp with time zone,text) TO rollcall_across;
GRANT EXECUTE ON ROUTINE enqueue_job(text,json,text,timestamp with time zone,text) TO rollcall_app;

GRANT USAGE ON SCHEMA public TO PUBLIC;
