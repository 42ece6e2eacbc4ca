import type pg from 'pg';

/**
 * Makes a test database refuse two wrong orders of locks, which otherwise end in a deadlock only rarely: the service
 * must lock an account before it adds or changes an entry of it, and whatever a payment locks before it moves to
 * another customer. Rows that tests insert themselves are not checked. The service retries the transaction, because a
 * transaction may also find a row that was added in the meantime; a wrong order fails again.
 */
export const checkLockOrder = (client: Pick<pg.ClientBase, 'query'>): Promise<unknown> =>
  client.query(`
    -- In a subtransaction, the row has its id: every id of this transaction is locked by this session.
    CREATE FUNCTION account_comes_first() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE of_customer bigint := CASE TG_OP WHEN 'UPDATE' THEN OLD.customer_id ELSE NEW.customer_id END;
    BEGIN
      IF NOT EXISTS (SELECT FROM customer_balance b
          WHERE b.provider_id = NEW.provider_id AND b.customer_id = of_customer AND b.account = 'credit'
            AND (pg_current_xact_id()::xid IN (b.xmin, b.xmax) OR EXISTS (SELECT FROM pg_locks l
              WHERE l.locktype = 'transactionid' AND l.pid = pg_backend_pid() AND l.mode = 'ExclusiveLock'
                AND l.transactionid IN (b.xmin, b.xmax)))) THEN
        RAISE EXCEPTION 'an entry of customer % is written before their account is locked', of_customer
          USING ERRCODE = 'serialization_failure';
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER account_comes_first AFTER INSERT OR UPDATE ON account_entry FOR EACH ROW
      WHEN (current_user IN ('rollcall_app', 'rollcall_across')) EXECUTE FUNCTION account_comes_first();

    CREATE FUNCTION locked_before_moving() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE is_locked boolean;
    BEGIN
      EXECUTE format('SELECT EXISTS (SELECT FROM %I r WHERE r.provider_id = $1 AND r.id = $2
          AND (pg_current_xact_id()::xid IN (r.xmin, r.xmax) OR EXISTS (SELECT FROM pg_locks l
            WHERE l.locktype = ''transactionid'' AND l.pid = pg_backend_pid() AND l.mode = ''ExclusiveLock''
              AND l.transactionid IN (r.xmin, r.xmax))))', TG_TABLE_NAME)
        INTO is_locked USING OLD.provider_id, OLD.id;
      IF NOT is_locked THEN
        RAISE EXCEPTION '% % gets another customer before it is locked', TG_TABLE_NAME, OLD.id
          USING ERRCODE = 'serialization_failure';
      END IF;
      RETURN NEW;
    END $$;
    DO $$
    DECLARE moved text;
    BEGIN
      FOREACH moved IN ARRAY ARRAY['checkout', 'store_order', 'invoice', 'payment'] LOOP
        EXECUTE format('CREATE TRIGGER locked_before_moving BEFORE UPDATE OF customer_id ON %I FOR EACH ROW
          WHEN (OLD.customer_id <> NEW.customer_id AND current_user IN (''rollcall_app'', ''rollcall_across''))
          EXECUTE FUNCTION locked_before_moving()', moved);
      END LOOP;
    END $$`);
