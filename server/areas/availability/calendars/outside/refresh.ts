/**
 * Refreshes external calendars when they are due, one at a time for each engine. No transaction is open during a fetch,
 * and the stored busy times remain unchanged until the calendar has been read completely.
 */
import { externalCalendarAccountFeed } from '../feed.ts';
import {
  AHEAD_MS,
  BACK_MS,
  EXPANDED_FOR_MS,
  EVERY_MS,
  isActive,
  isNotificationDue,
  pauseAfter,
} from './rules/schedule.ts';
import { fetchCalendar } from './fetch.ts';
import { hash } from 'node:crypto';
import { instant, json, sql } from '../../../../kernel/base/db/sql.ts';
import { NotOpened } from '../../../../kernel/base/secret-box.ts';
import { businessTime, type Work } from '../../../../kernel/work/unit/work.ts';
import { openAddress } from './address.ts';
import { backgroundWork } from '../../../../kernel/work/unit/background-work.ts';
import { readApart } from './read.ts';
import { Unreadable, type OutsideCalendar } from './outside-calendar.ts';
import type { EngineContext } from '../../../../kernel/work/unit/engine.ts';

type Own = Pick<EngineContext, 'db' | 'registry' | 'tenants' | 'installation' | 'now' | 'log'>;

const WHY = 'calendars of the staff of every business are read by one engine';
const ACTOR = 'calendars';
const AT_ONCE = 4;
/** Longer than the processing of one calendar can take. */
const LEASE = '5 minutes';

type Key = { readonly provider_id: number; readonly id: number };

/** Refreshes a few calendars that are due. Returns true if there were any. */
export async function refreshDue(own: Own): Promise<boolean> {
  const due = await own.db.acrossTenants(WHY, (tx) =>
    tx.rows<Key & Record<string, unknown>>(sql`
      WITH due AS (
        SELECT c.provider_id, c.id FROM external_calendar c
        WHERE c.due_at <= ${instant(own.now())}::timestamptz
          AND (c.leased_until IS NULL OR c.leased_until < clock_timestamp())
        ORDER BY c.due_at LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED)
      UPDATE external_calendar c SET leased_until = clock_timestamp() + ${LEASE}::interval FROM due
      WHERE c.provider_id = due.provider_id AND c.id = due.id RETURNING c.provider_id, c.id`),
  );
  await Promise.all(
    due.map((key) =>
      refresh(own, key).catch((err) =>
        // Its lease expires, and the calendar is retried.
        own.log.warn({ err, provider: key.provider_id, calendar: key.id }, 'a calendar was not read; will try again'),
      ),
    ),
  );
  return due.length > 0;
}

interface Calendar {
  readonly account_id: number;
  readonly sealed: string;
  readonly archived: boolean;
  readonly etag: string | null;
  readonly last_modified: string | null;
  readonly content_hash: string | null;
  readonly expanded_at: number | null;
}

type Outcome =
  | { readonly is: 'unchanged' }
  | {
      readonly is: 'read';
      readonly calendar: OutsideCalendar;
      readonly etag: string | null;
      readonly lastModified: string | null;
      readonly contentHash: string;
    }
  | { readonly is: 'same'; readonly etag: string | null; readonly lastModified: string | null }
  | { readonly is: 'failed'; readonly error: string; readonly retryAfterMs?: number };

async function refresh(own: Own, { provider_id: provider, id }: Key): Promise<void> {
  const tenant = await own.tenants.of(provider);
  if (!tenant) return;
  const calendar = await own.db.looking(provider, (tx) =>
    tx.one<Calendar & Record<string, unknown>>(
      sql`SELECT c.account_id, a.sealed, s.archived, c.etag, c.last_modified,
        encode(c.content_hash, 'hex') AS content_hash, c.expanded_at
          FROM external_calendar c JOIN external_calendar_account a ON a.provider_id = c.provider_id
            AND a.id = c.account_id
          JOIN staff s ON s.provider_id = a.provider_id AND s.id = a.staff_id
          WHERE c.provider_id = ${provider} AND c.id = ${id}`,
    ),
  );
  if (!calendar) return;
  const now = own.now();
  // Archived people aren't scheduled, but they may come back.
  if (calendar.archived) return own.db.transaction(provider, (tx) => tx.run(putOff(provider, id, now))).then(() => {});
  const around = businessTime(tenant, now);
  const outcome = await ask(own, provider, calendar, {
    now,
    zone: tenant.zone,
    from: around - BACK_MS,
    to: around + AHEAD_MS,
  });
  const kept = (result: Outcome) =>
    backgroundWork(own, provider, ACTOR, (work) => write(work, { id, now: own.now() }, result));
  if (outcome.is !== 'read') return kept(outcome);
  try {
    await kept(outcome);
  } catch (err) {
    // Any error while storing is shown to the owner, so that the calendar isn't fetched again and again.
    own.log.error({ err, provider, calendar: id }, 'a calendar was read and could not be stored');
    await kept({ is: 'failed', error: 'The calendar was read, but what it says could not be stored.' });
  }
}

const putOff = (provider: number, id: number, now: number) =>
  sql`UPDATE external_calendar SET due_at = ${instant(now + EVERY_MS)}, leased_until = NULL
    WHERE provider_id = ${provider} AND id = ${id}`;

async function ask(
  { installation: { box, outbound } }: Pick<Own, 'installation'>,
  provider: number,
  calendar: Calendar,
  window: { readonly now: number; readonly zone: string; readonly from: number; readonly to: number },
): Promise<Outcome> {
  let url: string;
  try {
    url = openAddress(box, provider, calendar.account_id, calendar.sealed);
  } catch (error) {
    if (!(error instanceof NotOpened)) throw error;
    return { is: 'failed', error: 'The address can no longer be read. Disconnect the calendar and connect it again.' };
  }
  const anew = calendar.expanded_at === null || window.now - calendar.expanded_at >= EXPANDED_FOR_MS;
  const fetched = await fetchCalendar(outbound, {
    url,
    etag: anew ? null : calendar.etag,
    lastModified: anew ? null : calendar.last_modified,
  });
  if (fetched.is === 'unchanged' && anew)
    return { is: 'failed', error: 'The calendar answered that it did not change, although it was not asked for that.' };
  if (fetched.is !== 'text') return fetched;
  const { text, etag, lastModified } = fetched;
  const contentHash = hash('sha256', text, 'hex');
  if (!anew && contentHash === calendar.content_hash) return { is: 'same', etag, lastModified };
  try {
    const read = await readApart({ text, zone: window.zone, from: window.from, to: window.to });
    return { is: 'read', calendar: read, etag, lastModified, contentHash };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { is: 'failed', error: error.message };
  }
}

interface State {
  readonly account_id: number;
  readonly staff_id: number;
  readonly failures: number;
  readonly failing_since: number | null;
  readonly told_at: number | null;
}

async function write(work: Work, { id, now }: { id: number; now: number }, outcome: Outcome): Promise<void> {
  const { tx, providerId } = work;
  const state = await tx.one<State & Record<string, unknown>>(
    sql`SELECT c.account_id, a.staff_id, c.failures, c.failing_since, c.told_at FROM external_calendar c
        JOIN external_calendar_account a ON a.provider_id = c.provider_id AND a.id = c.account_id
        WHERE c.provider_id = ${providerId} AND c.id = ${id} FOR NO KEY UPDATE OF c`,
  );
  // Disconnected in the meantime.
  if (!state) return;
  const of = sql`provider_id = ${providerId} AND id = ${id}`;
  const at = instant(now);
  const next = (failures: number, asked?: number) =>
    instant(now + pauseAfter(failures, { part: Math.random(), asked }));
  if (outcome.is === 'failed') {
    const since = state.failing_since ?? now;
    const failures = state.failures + 1;
    const tell = isNotificationDue({ since, now, notified: state.told_at !== null });
    await tx.run(sql`UPDATE external_calendar
      SET failures = ${failures}, failing_since = ${instant(since)}, last_error = ${outcome.error},
        due_at = ${next(failures, outcome.retryAfterMs)}, leased_until = NULL, is_active = ${isActive({ since, now })},
        told_at = CASE WHEN ${tell}::boolean THEN ${at}::timestamptz ELSE told_at END WHERE ${of}`);
    if (tell)
      work.record(externalCalendarAccountFeed.failing, state.account_id, {
        external_calendar_account: state.account_id,
        staff: state.staff_id,
      });
    return;
  }
  await tx.run(sql`UPDATE external_calendar
    SET failures = 0, failing_since = NULL, last_error = NULL, told_at = NULL, is_active = true,
      read_at = ${at}, due_at = ${next(0)}, leased_until = NULL WHERE ${of}`);
  if (outcome.is === 'unchanged') return;
  await tx.run(
    sql`UPDATE external_calendar SET etag = ${outcome.etag}, last_modified = ${outcome.lastModified} WHERE ${of}`,
  );
  if (outcome.is === 'same') return;
  const { calendar, contentHash } = outcome;
  await tx.run(sql`UPDATE external_calendar SET name = ${calendar.name}, timezone = ${calendar.timezone},
      content_hash = ${`\\x${contentHash}`}::bytea, expanded_at = ${at},
      warnings = ${calendar.warnings}::text[] WHERE ${of}`);
  await writeEvents(work, id, calendar);
}

/** Writes only the rows that differ: if one event of a calendar was moved, one row changes. */
async function writeEvents({ tx, providerId }: Work, calendar: number, { events }: OutsideCalendar): Promise<void> {
  const rows = json(
    events.map((e) => ({
      source_event_id: e.id.slice(0, 1000),
      during: `[${instant(e.startsAt)},${instant(e.endsAt)})`,
      is_all_day: e.allDay,
      is_busy: e.busy,
      status: e.status,
      visibility: e.visibility,
      title: e.title,
      location_name: e.location,
      timezone: e.timezone,
      source_created_at: e.createdAt === null ? null : instant(e.createdAt),
      source_updated_at: e.updatedAt === null ? null : instant(e.updatedAt),
    })),
  );
  const columns = sql`source_event_id, during, is_all_day, is_busy, status, visibility, title, location_name, timezone,
    source_created_at, source_updated_at`;
  await tx.run(sql`
    WITH said AS MATERIALIZED (
      SELECT DISTINCT ON (source_event_id) ${columns}
      FROM jsonb_to_recordset(${rows}::jsonb) AS s (source_event_id text, during tstzrange,
        is_all_day boolean, is_busy boolean, status text, visibility text, title text, location_name text,
        timezone text,
        source_created_at timestamptz, source_updated_at timestamptz)
    ), gone AS (
      DELETE FROM external_calendar_event e WHERE e.provider_id = ${providerId} AND e.calendar_id = ${calendar}
        AND NOT EXISTS (SELECT FROM said WHERE said.source_event_id = e.source_event_id)
    )
    INSERT INTO external_calendar_event (provider_id, calendar_id, ${columns})
    SELECT ${providerId}::bigint, ${calendar}::bigint, ${columns} FROM said
    ON CONFLICT (provider_id, calendar_id, source_event_id)
    DO UPDATE SET during = excluded.during, is_all_day = excluded.is_all_day,
      is_busy = excluded.is_busy, status = excluded.status, visibility = excluded.visibility, title = excluded.title,
      location_name = excluded.location_name, timezone = excluded.timezone,
      source_created_at = excluded.source_created_at,
      source_updated_at = excluded.source_updated_at
    WHERE (external_calendar_event.during, external_calendar_event.is_all_day, external_calendar_event.is_busy,
      external_calendar_event.status,
        external_calendar_event.visibility, external_calendar_event.title, external_calendar_event.location_name,
        external_calendar_event.timezone)
      IS DISTINCT FROM (excluded.during, excluded.is_all_day, excluded.is_busy, excluded.status, excluded.visibility,
        excluded.title,
        excluded.location_name, excluded.timezone)`);
}
