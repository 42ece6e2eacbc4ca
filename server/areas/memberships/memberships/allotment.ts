import { action, answer, EVERYONE, read, staffWith } from '../../../kernel/api/endpoint.ts';
import { boolean, id, integer, listOf, object, oneOf, text } from '../../../kernel/base/fields/kinds.ts';
import { done, DONE } from '../../../kernel/api/resource-changes.ts';
import { Issues } from '../../../kernel/base/problem.ts';
import { limitsOf } from './facts.ts';
import { membership } from './membership.ts';
import { PERIODS, USE_TYPES, type Allotment, type PeriodLimit } from './rules/allotment.ts';
import { setAllotment } from './writes.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { ValueOf } from '../../../kernel/base/fields/field.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const uses = () => integer({ min: 0, max: 100_000 });
const types = () =>
  listOf(oneOf(USE_TYPES), { min: 1, max: 2 }).describe('`event`: classes, appointments and rooms; `course`: courses.');
const period = oneOf(PERIODS).describe(
  "Periods of the business's calendar. `billing_period` is for recurring plans; `total` means all time.",
);
const type = oneOf(['limited', 'unlimited']);
const max_uses = uses().nullable().describe('Null if the type is `unlimited`.');
const roll_over = uses().describe('The most unused uses that carry over into the next period.');
const is_extra = boolean().describe(
  "True: these uses are in addition to those of the period. False: at most this many of the period's uses, and 0 means none.",
);

const shown = {
  ignore_no_shows: boolean().describe('If a booked customer does not show up, the use is given back.'),
  period_limits: listOf(
    object({
      max_uses,
      period,
      type,
      roll_over,
      offering_type_limits: listOf(
        object({
          max_uses: uses(),
          is_extra,
          allow_zero: boolean().describe('The number can be 0, which excludes the offering type.'),
          offering_type: object({ id: id(), name: text() }),
        }),
      ),
    }),
  ),
  types: listOf(oneOf(USE_TYPES)).describe('Empty until the allotment is set.'),
};

/** How often a membership can be used, and for what, as it is sent. */
export const usesBody = {
  types: types(),
  period_limits: listOf(
    object({
      max_uses,
      period,
      type,
      roll_over: roll_over.default(0),
      offering_type_limits: listOf(object({ offering_type: id(), max_uses: uses(), is_extra }), { max: 200 }),
    }),
    { max: PERIODS.length },
  ).describe('All limits apply at the same time. Empty means unlimited use.'),
};

export const showAllotment = read({
  path: '/memberships/{id}/allotment',
  summary: 'Get how often a membership can be used, and for what',
  who: EVERYONE,
  target: membership,
  returns: answer(shown),
  run: async ({ work, target }) => {
    const row = await work.tx.one<{ limits: PeriodLimit[] }>(
      sql`SELECT ${limitsOf('m')} AS limits FROM membership m
        WHERE m.provider_id = ${work.providerId} AND m.id = ${target.id}`,
    );
    const { limits } = row!;
    const names = await namesOf(
      work,
      limits.flatMap((l) => l.offeringTypes.map((o) => o.offeringType)),
    );
    return {
      ignore_no_shows: target.ignore_no_shows,
      period_limits: limits.map(({ period, maxUses, rollOver, offeringTypes }) => ({
        max_uses: maxUses,
        period,
        type: maxUses === null ? 'unlimited' : 'limited',
        roll_over: rollOver,
        offering_type_limits: offeringTypes.map(({ offeringType, maxUses: max_uses, isExtra }) => ({
          max_uses,
          is_extra: isExtra,
          allow_zero: !isExtra,
          offering_type: { id: offeringType, name: names.get(offeringType)! },
        })),
      })),
      types: target.allotment_types ?? [],
    };
  },
});

export const changeAllotment = action({
  method: 'PUT',
  path: '/memberships/{id}/allotment',
  summary: 'Set how often a membership can be used, and for what',
  description:
    'Replaces the whole allotment. It applies immediately to everyone who has the membership. Uses that were already made stay.',
  who: staffWith('super_admin'),
  target: membership,
  body: { ignore_no_shows: boolean().default(false), ...usesBody },
  returns: answer(done),
  run: async ({ work, target, body }) => {
    await setAllotment(work, { id: target.id, type: target.type }, await readAllotment(work, body));
    return DONE;
  },
});

/** Checks an allotment as it is sent. Issues name its properties after `within`, such as `allotment.`. */
export async function readAllotment(
  work: Work,
  body: ValueOf<typeof usesBody> & { readonly ignore_no_shows?: boolean },
  within = '',
): Promise<Allotment> {
  const issues = new Issues();
  const known = await namesOf(
    work,
    body.period_limits.flatMap((l) => l.offering_type_limits.map((o) => o.offering_type)),
  );
  const limits = body.period_limits.map(
    ({ period, type, max_uses: max, roll_over: rollOver = 0, offering_type_limits: own }, i): PeriodLimit => {
      const at = `${within}period_limits.${i}`;
      if (type === 'limited' && max === null)
        issues.add(`${at}.max_uses`, 'Must be a number, unless the type is `unlimited`.');
      if (type === 'unlimited' && max !== null)
        issues.add(`${at}.max_uses`, 'Must be null, unless the type is `limited`.');
      own.forEach(({ offering_type: id }, j) => {
        if (!known.has(id))
          issues.add(`${at}.offering_type_limits.${j}.offering_type`, `There is no offering type with the id ${id}.`);
      });
      return {
        period,
        maxUses: max,
        rollOver,
        offeringTypes: own.map((o) => ({ offeringType: o.offering_type, maxUses: o.max_uses, isExtra: o.is_extra })),
      };
    },
  );
  if (new Set(body.types).size < body.types.length) issues.add(`${within}types`, 'Name each type only once.');
  issues.throwIfAny();
  return { types: body.types, ignoreNoShows: body.ignore_no_shows ?? false, limits };
}

async function namesOf(work: Work, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await work.tx.rows<{ id: number; name: string }>(
    sql`SELECT id, name FROM offering_type WHERE provider_id = ${work.providerId} AND id = ANY(${ids}::bigint[])`,
  );
  return new Map(rows.map((row) => [row.id, row.name]));
}
