/** The checks of a database; each only reads. */
import { pendingMigrations, waitingMigration } from '../../kernel/base/db/schema/migrate.ts';
import { MONTH } from '../../kernel/base/db/backups/backup-catalog.ts';
import { existingSecretBox } from '../../kernel/base/secret-box.ts';
import { instantOfWall, isZone } from '../../kernel/base/values/zone.ts';
import { keyRemedy, sealedElsewhere } from '../sealed.ts';
import { months } from './doctor-months.ts';
import { backups } from './doctor-backups.ts';
import { SCALE_CHECKS } from '../../scale/doctor/index.ts';
import { assistants } from './doctor-assistants.ts';
import { sharedAccounts } from './doctor-accounts.ts';
import { SKEW_MS, type Check, type Finding, type Found } from './doctor-finding.ts';

const OLDEST = 150_000;
const MAX_SHOWN = 5;
const PAGE = 5000;

const found = (...findings: readonly Finding[]): Found => ({ findings });

const version: Check = async (client) => {
  const {
    rows: [{ n }],
  } = await client.query(`SELECT current_setting('server_version_num')::int AS n`);
  return n >= OLDEST
    ? found()
    : found({ wrong: `PostgreSQL is version ${Math.floor(n / 10_000)}.`, remedy: 'Use PostgreSQL 15 or newer.' });
};

/** The record of applied migrations can't be read at all. */
const OF_ANOTHER_VERSION =
  'Run the version of Rollcall that made this database, or start with an empty data folder (DATA_DIR) or database.';

const migrations: Check = async (client) => {
  try {
    const pending = await pendingMigrations(client);
    if (pending.length === 0) return found();
    const waiting = await waitingMigration(client);
    if (waiting !== null && waiting.name === pending[0])
      return found({
        wrong: `The migration ${waiting.name} waits until no process older than release ${waiting.release} runs. These do: ${waiting.older.join(', ')}.`,
        remedy: 'Upgrade them, or stop them. It is then applied automatically.',
      });
    return {
      findings: [
        {
          wrong: `The database lacks the migrations ${pending.join(', ')}.`,
          remedy: 'Start this release once: it applies them.',
        },
      ],
      stop: true,
    };
  } catch (error) {
    const [wrong, remedy = OF_ANOTHER_VERSION] = (error as Error).message.split(' Remedy: ');
    return { findings: [{ wrong, remedy: `${remedy[0].toUpperCase()}${remedy.slice(1)}` }], stop: true };
  }
};

const roles: Check = async (client) => {
  const { rows } = await client.query(`
    SELECT name, r.oid IS NOT NULL AS known, r.rolbypassrls OR r.rolsuper AS beyond, r.oid IS NOT NULL
      AND pg_has_role(current_user, r.oid, 'MEMBER') AS member
    FROM unnest(ARRAY['rollcall_app', 'rollcall_across']) AS name LEFT JOIN pg_roles r ON r.rolname = name`);
  return found(
    ...rows.flatMap(({ name, known, beyond, member }): Finding[] => {
      if (!known)
        return [
          {
            wrong: `The role ${name} is missing.`,
            remedy: `Run CREATE ROLE ${name} NOLOGIN; then restore a backup into a new database, which grants what it needs.`,
          },
        ];
      return [
        ...(beyond
          ? [
              {
                wrong: `The role ${name} bypasses row-level security, so businesses could see each other’s data.`,
                remedy: `ALTER ROLE ${name} NOSUPERUSER NOBYPASSRLS;`,
              },
            ]
          : []),
        ...(member
          ? []
          : [
              {
                wrong: `The owner of the database is not a member of ${name}.`,
                remedy: `GRANT ${name} TO the role of DATABASE_URL;`,
              },
            ]),
      ];
    }),
  );
};

/**
 * A month that waits for its archive has no policy and grants nothing: only the owner reads it. The list of businesses
 * in other cells is read before a business is known.
 */
const rowSecurity: Check = async (client) => {
  const { rows } = await client.query(`
    SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'provider_id'
      AND a.attnum = 1
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND c.relname <> 'cell_business'
      AND NOT (c.relrowsecurity AND (c.relforcerowsecurity OR c.relname ~ '${MONTH}')) ORDER BY 1`);
  return found(
    ...rows.map(({ name }) => ({
      wrong: `Row-level security is not forced on the table ${name}.`,
      remedy: `ALTER TABLE ${name} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;`,
    })),
  );
};

const extensions: Check = async (client) => {
  const { rows } = await client.query(
    `SELECT name FROM unnest(ARRAY['btree_gist', 'pg_trgm']) AS name
      WHERE name NOT IN (SELECT extname FROM pg_extension)`,
  );
  return found(
    ...rows.map(({ name }) => ({ wrong: `The extension ${name} is missing.`, remedy: `CREATE EXTENSION ${name};` })),
  );
};

/** The rules of a zone may have changed since an event was planned: then its local time is what was meant. */
const zoneRules: Check = async (client, now) => {
  const odd: string[] = [];
  for (let last = [0, 0]; ;) {
    const { rows } = await client.query(
      `SELECT provider_id::float8 AS provider, id::float8 AS id, timezone,
        to_char(local_starts_at, 'YYYY-MM-DD"T"HH24:MI:SS') AS wall, extract(epoch FROM starts_at)::float8 * 1000 AS at
       FROM event WHERE status = 'active' AND starts_at > $1 AND (provider_id, id) > ($2, $3)
         ORDER BY provider_id, id LIMIT ${PAGE}`,
      [new Date(now()).toISOString(), ...last],
    );
    for (const { id, timezone, wall, at } of rows) {
      const agrees =
        isZone(timezone) && [instantOfWall(wall, timezone), instantOfWall(wall, timezone, 'later')].includes(at);
      if (!agrees) odd.push(String(id));
    }
    if (rows.length < PAGE) break;
    last = [rows.at(-1).provider, rows.at(-1).id];
  }
  if (odd.length === 0) return found();
  return found({
    wrong: `${odd.length} upcoming events start at a different instant than their local time says (did the rules of their time zone change?): ${some(odd)}.`,
    remedy: 'Check them, and save them again with the intended local time (PATCH starts_at and ends_at).',
  });
};

const counters: Check = async (client) => {
  const { rows: events } = await client.query(`
    SELECT e.id FROM event e
    LEFT JOIN (SELECT provider_id, event_id, count(*) FILTER (WHERE place = 'venue') AS n,
      count(*) FILTER (WHERE place = 'online') AS online FROM attendance WHERE holds_seat(status)
      GROUP BY 1, 2) a ON (a.provider_id, a.event_id) = (e.provider_id, e.id)
    LEFT JOIN (SELECT provider_id, event_id,
      count(*) FILTER (WHERE status = 'spot_reserved' AND place = 'venue') AS held,
      count(*) FILTER (WHERE status = 'on_waitlist' AND place = 'venue') AS waiting,
      count(*) FILTER (WHERE status = 'spot_reserved' AND place = 'online') AS online_held,
      count(*) FILTER (WHERE status = 'on_waitlist' AND place = 'online') AS online_waiting
               FROM waitlist_spot WHERE ended_at IS NULL GROUP BY 1,
                 2) w ON (w.provider_id, w.event_id) = (e.provider_id, e.id)
    LEFT JOIN (SELECT provider_id, event_id, count(*) FILTER (WHERE place = 'venue') AS n,
      count(*) FILTER (WHERE place = 'online') AS online FROM seat_hold WHERE spot_expires_at IS NULL
      GROUP BY 1, 2) h ON (h.provider_id, h.event_id) = (e.provider_id, e.id)
    WHERE e.attending_count <> coalesce(a.n, 0) OR e.held_count <> coalesce(w.held, 0) + coalesce(h.n, 0)
      OR e.waiting_count <> coalesce(w.waiting, 0) OR e.online_attending_count <> coalesce(a.online, 0)
      OR e.online_held_count <> coalesce(w.online_held, 0) + coalesce(h.online, 0)
      OR e.online_waiting_count <> coalesce(w.online_waiting, 0) ORDER BY 1`);
  const { rows: totals } = await client.query(`
    WITH real AS (SELECT provider_id, 'event' AS relation, count(*) AS n FROM event GROUP BY 1 UNION ALL
      SELECT provider_id, 'attendance', count(*) FROM attendance GROUP BY 1),
    kept AS (SELECT provider_id, relation, sum(n) AS n FROM row_count WHERE relation IN ('event', 'attendance')
      GROUP BY 1, 2)
    SELECT provider_id, relation FROM real FULL JOIN kept USING (provider_id, relation)
      WHERE coalesce(real.n, 0) <> coalesce(kept.n, 0)`);
  const remedy =
    'Stop the server, write a backup, and have the counters set to what the rows say. Something bypassed the triggers.';
  return found(
    ...(events.length > 0
      ? [
          {
            wrong: `The seat counters of ${events.length} events don’t match their rows: ${some(events.map((r) => r.id))}.`,
            remedy,
          },
        ]
      : []),
    ...totals.map(({ provider_id: id, relation }) => ({
      wrong: `The stored number of ${relation} rows of provider ${id} doesn’t match the rows.`,
      remedy,
    })),
  );
};

const clock: Check = async (client, now) => {
  const before = now();
  const {
    rows: [{ at }],
  } = await client.query('SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS at');
  const skew = Math.max(before - at, at - now());
  if (skew <= SKEW_MS) return found();
  return found({
    wrong: `The clocks of the database and of this machine differ by ${Math.round(skew / 1000)} s.`,
    remedy: 'Synchronize both with a time server (NTP).',
  });
};

const jobs: Check = async (client) => {
  const {
    rows: [{ queue }],
  } = await client.query(`SELECT to_regclass('graphile_worker._private_jobs') IS NOT NULL AS queue`);
  if (!queue)
    return found({
      wrong: 'The tables of the job queue are missing.',
      remedy: 'Start this release once: it creates them.',
    });
  const { rows } = await client.query(
    `SELECT id, left(last_error, 120) AS why FROM graphile_worker._private_jobs WHERE attempts >= 5
      AND created_at < now() - interval '10 minutes' ORDER BY id`,
  );
  if (rows.length === 0) return found();
  return found({
    wrong: `${rows.length} jobs keep failing: ${some(rows.map((r) => `${r.id} (${r.why ?? 'unknown'})`))}.`,
    remedy: 'The log has each error in full. The jobs are retried automatically.',
  });
};

const feed: Check = async (client) => {
  const {
    rows: [{ n }],
  } = await client.query(
    `SELECT count(*)::int AS n FROM feed_item WHERE seq IS NULL AND occurred_at < now() - interval '1 minute'`,
  );
  if (n === 0) return found();
  return found({
    wrong: `${n} feed items have been waiting for their number for more than a minute.`,
    remedy: 'Start a worker: "rollcall start" (ROLE=all or ROLE=worker).',
  });
};

/** Items that readers of the feed could not process. */
const readers: Check = async (client) => {
  const { rows: stuck } = await client.query(
    `SELECT reader, provider_id, left(error, 120) AS why FROM feed_reader_position WHERE attempts >= 3 ORDER BY 1, 2`,
  );
  const { rows: aside } = await client.query(
    `SELECT reader, count(*)::int AS n FROM feed_item_set_aside GROUP BY 1 ORDER BY 1`,
  );
  return found(
    ...(stuck.length > 0
      ? [
          {
            wrong: `Readers of the feed keep failing: ${some(stuck.map((s) => `${s.reader} at provider ${s.provider_id} (${s.why})`))}.`,
            remedy: 'The log has each error in full. After nine attempts, they skip the item.',
          },
        ]
      : []),
    ...aside.map(({ reader, n }) => ({
      wrong: `The reader ${reader} skipped ${n} feed items that it could not process.`,
      remedy: 'See "rollcall feed list". Once the cause is fixed, run "rollcall feed retry".',
    })),
  );
};

/** Values that a restore without the secret key leaves unreadable. */
const sealed: Check = async (client, _now, config) => {
  const lost = await sealedElsewhere(client, existingSecretBox(config));
  return lost === null
    ? found()
    : found({
        wrong: `This installation can’t open ${lost}: its secret key is a different one.`,
        remedy: keyRemedy(config),
      });
};

/** Messages that no carrier is configured to send. */
const keptMessages: Check = async (client) => {
  const { rows } = await client.query<{ channel: 'email' | 'sms'; n: number }>(
    'SELECT channel, count(*)::int AS n FROM mail_outbox GROUP BY 1 ORDER BY 1',
  );
  const SETTING = { email: 'SMTP_URL and MAIL_FROM', sms: 'SMS_URL' };
  return found(
    ...rows.map(({ channel, n }) => ({
      wrong: `${n} ${channel === 'sms' ? 'text messages' : 'emails'} of the last week were kept instead of being sent.`,
      remedy: `Set ${SETTING[channel]}. "rollcall mail list" shows what was kept; it is not sent later.`,
    })),
  );
};

const ledger: Check = async (client) => {
  const { rows } = await client.query(
    `SELECT provider_id AS id, checked_on::text AS day, cardinality(differences) AS n FROM ledger_check
     WHERE cardinality(differences) > 0 ORDER BY provider_id LIMIT ${MAX_SHOWN}`,
  );
  return found(
    ...rows.map(({ id, day, n }) => ({
      wrong: `On ${day}, the ledger of business ${id} differed from what it was posted for in ${n} ${n === 1 ? 'place' : 'places'}.`,
      remedy: `Run "rollcall ledger check --provider ${id}", which names them.`,
    })),
  );
};

const reports: Check = async (client) => {
  const { rows } = await client.query(
    `SELECT provider_id AS id, checked_on::text AS day, cardinality(differences) AS n FROM report_check
     WHERE cardinality(differences) > 0 ORDER BY provider_id LIMIT ${MAX_SHOWN}`,
  );
  return found(
    ...rows.map(({ id, day, n }) => ({
      wrong: `On ${day}, the data of business ${id} contradicted itself or its reports in ${n} ${n === 1 ? 'place' : 'places'}.`,
      remedy: `Run "rollcall verify --provider ${id}", which names them.`,
    })),
  );
};

/** Payments and refunds with an unknown outcome. */
const payments: Check = async (client) => {
  const { rows } = await client.query(
    `SELECT provider_id AS id, what, count(*) FILTER (WHERE trouble)::int AS lost,
      count(*) FILTER (WHERE overdue)::int AS late FROM (
       SELECT provider_id, 'payments' AS what, trouble IS NOT NULL AS trouble,
         next_at < now() - interval '15 minutes' AS overdue
       FROM payment WHERE next_at IS NOT NULL OR trouble IS NOT NULL
       UNION ALL SELECT provider_id, 'refunds', trouble IS NOT NULL, next_at < now() - interval '15 minutes'
       FROM payment_refund WHERE next_at IS NOT NULL OR trouble IS NOT NULL) AS open
     WHERE trouble OR overdue GROUP BY 1, 2 ORDER BY 1, 2 LIMIT ${MAX_SHOWN}`,
  );
  return found(
    ...rows
      .filter(({ lost }) => lost > 0)
      .map(({ id, what, lost }) => ({
        wrong: `The payment processor of business ${id} has not said for weeks what became of ${lost} ${what}.`,
        remedy: `The business finds them by their property "trouble", looks at the processor, and asks again with POST /${what === 'refunds' ? 'payment_refunds' : 'payments'}/{id}/check.`,
      })),
    ...rows
      .filter(({ late }) => late > 0)
      .map(({ id, what, late }) => ({
        wrong: `${late} ${what} of business ${id} have been due for more than 15 minutes.`,
        remedy: 'Start a worker, or look at its log: it names payment processors that do not answer.',
      })),
  );
};

const some = (ids: readonly string[]): string =>
  ids.slice(0, MAX_SHOWN).join(', ') + (ids.length > MAX_SHOWN ? ', ...' : '');

/** Wraps a check that reads rows of every business, in the role that may: the login itself may see none. */
const acrossBusinesses =
  (check: Check): Check =>
  async (client, now, config) => {
    await client.query('SET ROLE rollcall_across');
    try {
      return await check(client, now, config);
    } finally {
      await client.query('RESET ROLE');
    }
  };

export const CHECKS: readonly Check[] = [
  version,
  migrations,
  roles,
  rowSecurity,
  extensions,
  acrossBusinesses(zoneRules),
  acrossBusinesses(counters),
  acrossBusinesses(sealed),
  sharedAccounts,
  assistants,
  clock,
  months,
  ...SCALE_CHECKS,
  backups,
  jobs,
  acrossBusinesses(feed),
  acrossBusinesses(readers),
  acrossBusinesses(keptMessages),
  acrossBusinesses(ledger),
  acrossBusinesses(reports),
  acrossBusinesses(payments),
];

/** Checks of what is stored, not of the moment: an update must not make any of them worse. */
export const STORED_CHECKS: Readonly<Record<string, Check>> = {
  roles,
  'row-level security': rowSecurity,
  extensions,
  'time zones': acrossBusinesses(zoneRules),
  counters: acrossBusinesses(counters),
  secrets: acrossBusinesses(sealed),
};
