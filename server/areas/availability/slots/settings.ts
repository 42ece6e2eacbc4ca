/** Settings of a business for offering times, in addition to those of its offering types. */
import { action, answer, read, STAFF, staffWith } from '../../../kernel/api/endpoint.ts';
import { allOptional, type ValueOf } from '../../../kernel/base/fields/field.ts';
import { changeBusiness } from '../../platform/providers/index.ts';
import { instant, raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { integer, listOf, object, oneOf, ref } from '../../../kernel/base/fields/kinds.ts';
import { invalid } from '../../../kernel/base/problem.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const minutes = () => integer({ min: 0, max: 1440 });

const shape = {
  daily_limit: integer({ min: 1, max: 100 }).nullable().optional(),
  instructor_limits: listOf(
    object({ instructor: ref('instructor'), daily_limit: integer({ min: 0, max: 100 }) }),
  ).optional(),
  travel_minutes: minutes().optional(),
  travel_times: listOf(object({ venue: ref('venue'), other_venue: ref('venue'), minutes: minutes() })).optional(),
  minimum_notice: integer({ min: 0, max: 525_600 }).optional(),
  horizon_days: integer({ min: 1, max: 730 }).optional(),
  slot_expires_after: integer({ min: 1, max: 1440 }).optional(),
  late_reschedule: oneOf(['refuse', 'late_cancel', 'allow']).optional(),
};

/** Described where they are read, not again where they are sent. */
const shown = {
  ...shape,
  daily_limit: shape.daily_limit.describe('Appointments of each instructor on a day at most. Null means no limit.'),
  instructor_limits: shape.instructor_limits.describe(
    'Instructors with a limit of their own. 0 means that no appointments with them are offered.',
  ),
  travel_minutes: shape.travel_minutes.describe(
    'Minutes that an instructor needs from one venue to another. Online venues need none.',
  ),
  travel_times: shape.travel_times.describe('Pairs of venues with a time of their own, both ways.'),
  minimum_notice: shape.minimum_notice.describe(
    'Minutes before the start after which customers are not offered a time. Registration windows hold too.',
  ),
  horizon_days: shape.horizon_days.describe('Number of days ahead for which customers are offered times.'),
  slot_expires_after: shape.slot_expires_after.describe('Minutes for which the id of a slot can be used.'),
  late_reschedule: shape.late_reschedule.describe(
    'Handling of a customer’s reschedule when a cancellation would be late: it is refused; the old time is a late cancellation and the new one is paid for again; or it is allowed.',
  ),
};

export type SlotSettings = {
  readonly [K in keyof ValueOf<typeof shape>]-?: Exclude<ValueOf<typeof shape>[K], undefined>;
};

type Plain = Omit<SlotSettings, 'instructor_limits' | 'travel_times'>;

const DEFAULTS: Plain = {
  daily_limit: null,
  travel_minutes: 0,
  minimum_notice: 0,
  horizon_days: 90,
  slot_expires_after: 30,
  late_reschedule: 'refuse',
};

/** Selects one jsonb of the business's settings, for use in other statements; read it with `settingsOf`. */
export const settingsColumn = (provider: unknown): Sql => sql`jsonb_build_object(
  'own', (SELECT to_jsonb(s) FROM slot_settings s WHERE s.provider_id = ${provider}),
  'travel_times',
  (SELECT coalesce(jsonb_agg(jsonb_build_object('venue', t.venue_id, 'other_venue', t.other_venue_id,
    'minutes', t.minutes)
      ORDER BY t.venue_id, t.other_venue_id), '[]') FROM slot_travel_time t WHERE t.provider_id = ${provider}),
  'instructor_limits',
  (SELECT coalesce(jsonb_agg(jsonb_build_object('instructor', l.instructor_id, 'daily_limit', l.daily_limit)
      ORDER BY l.instructor_id), '[]') FROM slot_instructor_limit l WHERE l.provider_id = ${provider}))`;

type Stored = Pick<SlotSettings, 'travel_times' | 'instructor_limits'> & { own: Partial<SlotSettings> | null };

export function settingsOf({ own, travel_times, instructor_limits }: Stored): SlotSettings {
  const of = <N extends keyof Plain>(name: N): Plain[N] => (own as Partial<Plain> | null)?.[name] ?? DEFAULTS[name];
  return {
    daily_limit: of('daily_limit'),
    instructor_limits,
    travel_minutes: of('travel_minutes'),
    travel_times,
    minimum_notice: of('minimum_notice'),
    horizon_days: of('horizon_days'),
    slot_expires_after: of('slot_expires_after'),
    late_reschedule: of('late_reschedule'),
  };
}

export async function readSettings({ tx, providerId }: Pick<Work, 'tx' | 'providerId'>): Promise<SlotSettings> {
  const row = await tx.one<{ settings: Stored }>(sql`SELECT ${settingsColumn(providerId)} AS settings`);
  return settingsOf(row!.settings);
}

const show = read({
  path: '/slots/settings',
  summary: 'Get the settings of slots',
  who: STAFF,
  returns: answer(shown),
  run: ({ work }) => readSettings(work),
});

function checkPairs({ travel_times: times, instructor_limits: limits }: Partial<SlotSettings>): void {
  const pairs = new Set<string>();
  for (const [i, { venue, other_venue: other }] of (times ?? []).entries()) {
    if (venue === other) throw invalid(`travel_times.${i}.other_venue`, 'Must be another venue.');
    const pair = [venue, other].toSorted((a, b) => a - b).join();
    if (pairs.has(pair)) throw invalid(`travel_times.${i}`, 'These two venues are listed twice.');
    pairs.add(pair);
  }
  const twice = limits?.findIndex((l, i) => limits.findIndex((m) => m.instructor === l.instructor) < i) ?? -1;
  if (twice >= 0) throw invalid(`instructor_limits.${twice}.instructor`, 'This instructor is listed twice.');
}

async function store(work: Work, settings: SlotSettings): Promise<void> {
  const { providerId } = work;
  const { travel_times: times, instructor_limits: limits } = settings;
  const names = Object.keys(DEFAULTS) as (keyof typeof DEFAULTS)[];
  const at = instant(work.now);
  const columns = raw(names.join(', '));
  const pairs = times.map(({ venue, other_venue: other }) => [Math.min(venue, other), Math.max(venue, other)]);
  await work.tx.all([
    sql`INSERT INTO slot_settings (provider_id, ${columns}, created_at, updated_at)
        SELECT ${providerId}::bigint, ${columns}, ${at}::timestamptz, ${at}::timestamptz
        FROM jsonb_populate_record(NULL::slot_settings, ${JSON.stringify(settings)}::jsonb)
        ON CONFLICT (provider_id) DO UPDATE SET ${raw(names.map((n) => `${n} = excluded.${n}`).join(', '))},
          updated_at = excluded.updated_at`,
    sql`DELETE FROM slot_travel_time WHERE provider_id = ${providerId}`,
    sql`INSERT INTO slot_travel_time (provider_id, venue_id, other_venue_id, minutes)
        SELECT ${providerId}::bigint, *
        FROM unnest(${pairs.map(([a]) => a)}::bigint[], ${pairs.map(([, b]) => b)}::bigint[],
          ${times.map((t) => t.minutes)}::int[])`,
    sql`DELETE FROM slot_instructor_limit WHERE provider_id = ${providerId}`,
    sql`INSERT INTO slot_instructor_limit (provider_id, instructor_id, daily_limit)
        SELECT ${providerId}::bigint, *
        FROM unnest(${limits.map((l) => l.instructor)}::bigint[], ${limits.map((l) => l.daily_limit)}::int[])`,
  ]);
}

const change = (method: 'PUT' | 'PATCH') =>
  action({
    method,
    path: '/slots/settings',
    summary: 'Update the settings of slots',
    description: `Lists are replaced as a whole.${method === 'PUT' ? ' What is left out gets its default.' : ''} Times that are booked stay as they are.`,
    who: staffWith('super_admin', 'manage_events'),
    body: allOptional(shape),
    returns: answer(shape),
    run: async ({ work, body }) => {
      checkPairs(body);
      // Concurrent changes of different settings must not overwrite each other: the row of the business is locked
      // before it is read.
      await changeBusiness(work, {}, []);
      const before = await readSettings(work);
      const left = method === 'PUT' ? settingsOf({ own: null, travel_times: [], instructor_limits: [] }) : before;
      const after = { ...left, ...body } as SlotSettings;
      if (JSON.stringify(before) === JSON.stringify(after)) return before;
      await store(work, after);
      await changeBusiness(work, {}, ['slots']);
      const stored = await readSettings(work);
      work.audit({
        action: `${method} /slots/settings`,
        object: 'provider',
        objectId: work.providerId,
        before,
        after: stored,
      });
      return stored;
    },
  });

export const slotSettings = [show, change('PUT'), change('PATCH')];
