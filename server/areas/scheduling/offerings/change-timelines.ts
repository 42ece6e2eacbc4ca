import { changes } from '../../../kernel/api/resource-changes.ts';
import { staffWith } from '../../../kernel/api/endpoint.ts';
import { imageRef } from '../../platform/images/index.ts';
import { changedNames, insertRow, replaceLinks, updateRow, deleteRow } from '../../../kernel/work/unit/row.ts';
import { customerLink, membershipLink, registrationTimeline } from './timeline.ts';
import { idsOf, oneOf } from '../../../kernel/base/fields/kinds.ts';
import { invalid, Problem } from '../../../kernel/base/problem.ts';
import { neverOpen } from './rules/bounds.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { registrationTimelineFeed } from './feed.ts';
import type { ValueOf } from '../../../kernel/base/fields/field.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const f = registrationTimeline.fields;
const who = staffWith('super_admin', 'manage_events');

const body = {
  audience_type: oneOf([
    'everyone',
    'business_only',
    'membership_holders',
    'specific_memberships',
    'specific_customers',
  ]),
  name: f.name.optional(),
  thumbnail: imageRef().nullable().optional(),
  calendar_opens_interval: f.calendar_opens_interval.optional(),
  registrations_open_interval: f.registrations_open_interval.optional(),
  registrations_close_interval: f.registrations_close_interval.optional(),
  cancellation_notice_interval: f.cancellation_notice_interval.optional(),
  customers: idsOf('customer', customerLink)
    .optional()
    .describe('For the audience `specific_customers`: the whole list.'),
  memberships: idsOf('membership', membershipLink)
    .optional()
    .describe('For the audience `specific_memberships`: the whole list.'),
};

/** The property and the table of each audience that names customers or memberships. */
const NAMED = {
  specific_customers: { list: 'customers', link: customerLink },
  specific_memberships: { list: 'memberships', link: membershipLink },
} as const;
const AUDIENCES_THAT_NAME = Object.keys(NAMED) as (keyof typeof NAMED)[];

type Values = Partial<ValueOf<typeof body>>;

export const changeTimelines = changes(registrationTimeline, {
  path: '/registration_timelines',
  noun: 'registration timeline',
  who,
  body,
  create: {
    description: 'Offering types and events refer to a timeline to use it.',
    run: async ({ work, body }) => {
      check({}, body);
      const { customers: _customers, memberships: _memberships, thumbnail, ...values } = body;
      const id = await insertRow(work, 'registration_timeline', { ...values, image_id: thumbnail });
      await setNamed(work, id, body.audience_type, body);
      work.record(registrationTimelineFeed.created, id, { registration_timeline: id });
      return id;
    },
  },
  update: {
    description:
      'The change applies immediately to everything that uses the timeline. The list of customers or memberships is replaced as a whole. A different audience empties it.',
    run: async ({ work, body, target }) => {
      check(target, body);
      const { customers: _customers, memberships: _memberships, thumbnail, ...values } = body;
      await updateRow(work, 'registration_timeline', target.id, { ...values, image_id: thumbnail });
      await setNamed(work, target.id, body.audience_type ?? target.audience_type, body);
      const changed = changedNames(body);
      if (changed.length > 0)
        work.record(registrationTimelineFeed.updated, target.id, { registration_timeline: target.id, changed });
    },
  },
  remove: {
    summary: 'Delete an unused registration timeline',
    problems: ['in_use'],
    run: async ({ work, target }) => {
      await checkUnused(work, target.id);
      await setNamed(work, target.id, null, {});
      await deleteRow(work, 'registration_timeline', target.id);
      work.record(registrationTimelineFeed.deleted, target.id, { registration_timeline: target.id });
    },
  },
});

/** Stores the named customers or memberships, as sent or as before; those of other audiences are deleted. */
async function setNamed(work: Work, id: number, audience: string | null, values: Values): Promise<void> {
  for (const one of AUDIENCES_THAT_NAME) {
    const { list, link } = NAMED[one];
    const ids = one === audience ? values[list] : [];
    if (ids) await replaceLinks(work, link.table, { column: link.parent, id }, { column: link.child, ids });
  }
}

/** Checks the intervals together; those that a change leaves out have their stored values. */
function check(stored: Record<string, any>, body: Values): void {
  for (const audience of AUDIENCES_THAT_NAME) {
    const { list } = NAMED[audience];
    if (body[list]?.length && (body.audience_type ?? stored.audience_type) !== audience)
      throw invalid(list, `Only a timeline with the audience_type ${audience} can have ${list}.`);
  }
  const after = (name: 'registrations_open_interval' | 'registrations_close_interval') =>
    body[name] !== undefined ? body[name] : (stored[name] ?? null);
  const closed = neverOpen({
    opens: after('registrations_open_interval'),
    closes: after('registrations_close_interval'),
  });
  if (closed)
    throw invalid(
      body.registrations_open_interval === undefined ? 'registrations_close_interval' : 'registrations_open_interval',
      closed,
    );
}

async function checkUnused(work: Work, id: number): Promise<void> {
  const events = await work.registry.countUses('registration_timeline', work, id);
  const own = await work.tx.one<{ n: number }>(
    sql`SELECT count(*) AS n FROM offering_type_registration_timeline
      WHERE provider_id = ${work.providerId} AND registration_timeline_id = ${id}`,
  );
  const types = own!.n;
  if (events + types === 0) return;
  throw new Problem(
    'in_use',
    `The timeline is used by ${events} events and ${types} offering types. Remove it from them first.`,
  );
}
