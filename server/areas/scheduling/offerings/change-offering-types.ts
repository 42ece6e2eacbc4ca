import { agesDisagree, neverOpen } from './rules/bounds.ts';
import { changeOfferingType, createOfferingType, type OfferingTypeValues } from './writes.ts';
import { changes } from '../../../kernel/api/resource-changes.ts';
import { staffWith } from '../../../kernel/api/endpoint.ts';
import { eventsInWords } from '../../places/venues/index.ts';
import { offeringType, writable } from './offering-type.ts';
import { invalid, Problem } from '../../../kernel/base/problem.ts';
import { withSlots } from './slot-settings.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const f = offeringType.fields;
const who = staffWith('super_admin', 'manage_events');

export const changeOfferingTypes = changes(offeringType, {
  path: '/offering_types',
  noun: 'offering type',
  who,
  body: { ...writable, status: f.status.optional() },
  first: { ...writable, schedule_type: f.schedule_type.default('class') },
  create: async ({ work, body }) => {
    checkBounds({}, body);
    return createOfferingType(work, await withSlots(work, body.schedule_type, body));
  },
  update: {
    description:
      'Lists of instructors and timelines are replaced as a whole, and so are `appointment_settings` and `room_rental_settings`; times that are booked stay as they are. An offering type with events that have not ended can’t be archived. The schedule type can’t be changed.',
    problems: ['in_use'],
    run: async ({ work, body, target }) => {
      checkBounds(target, body);
      if (body.status === 'archived' && target.status !== 'archived') await checkNothingAhead(work, target.id);
      await changeOfferingType(work, target.id, await withSlots(work, target.schedule_type, body));
    },
  },
});

/** Checks the bounds together; those that a change leaves out have their stored values. */
function checkBounds(stored: Record<string, any>, body: OfferingTypeValues): void {
  const after = (name: keyof OfferingTypeValues): number | null =>
    (body[name] !== undefined ? body[name] : (stored[name] ?? null)) as number | null;
  const ages = agesDisagree({ min: after('min_allowed_age'), max: after('max_allowed_age') });
  if (ages) throw invalid(body.max_allowed_age === undefined ? 'min_allowed_age' : 'max_allowed_age', ages);
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

async function checkNothingAhead(work: Work, id: number): Promise<void> {
  const n = await work.registry.countUses('offering_type', work, id);
  if (n === 0) return;
  const why = `The offering type has ${eventsInWords(n)} that ${n === 1 ? 'has' : 'have'} not ended.`;
  throw new Problem('in_use', `${why} Cancel them first, or hide it with customer_visibility.`, { status: [why] });
}
