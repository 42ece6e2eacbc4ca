import { accepted, handle, storeMessage, type PartnerRow } from './messages.ts';
import { action, one, staffWith } from '../../../kernel/api/endpoint.ts';
import { changedNames, insertRow, updateRow } from '../../../kernel/work/unit/row.ts';
import { changes } from '../../../kernel/api/resource-changes.ts';
import { ref } from '../../../kernel/base/fields/kinds.ts';
import { instant } from '../../../kernel/base/db/sql.ts';
import { invalid } from '../../../kernel/base/problem.ts';
import { messageBody } from './message-body.ts';
import { partner, partnerMessage } from './partner.ts';
import { BOOKING_PROBLEMS, SCHEDULE_PROBLEMS } from '../../scheduling/schedule/index.ts';
import { newPartnerId, newSecret } from './secret.ts';
import { PARTNER_PROBLEMS } from './problems.ts';
import { partnerFeed } from './feed.ts';
import { venueLimit } from '../../../kernel/api/venue-limit.ts';

const who = staffWith('super_admin');
const f = partner.fields;

const body = {
  name: f.name,
  status: f.status.optional(),
  venue: ref('venue').nullable().optional().describe('Required for a door.'),
  admits: f.admits.optional(),
  opens_minutes_before: f.opens_minutes_before.optional(),
  checks_in: f.checks_in.optional(),
  places_per_event: f.places_per_event.optional(),
};

const checkVenue = (kind: string, venue: number | null | undefined): void => {
  if (kind === 'door' && (venue ?? null) === null) throw invalid('venue', 'Send the venue that the door belongs to.');
};

const partnerChanges = changes(partner, {
  path: '/partners',
  noun: 'partner',
  who,
  body,
  first: { kind: f.kind, ...body },
  create: {
    description: 'The response contains the `secret` that messages are signed with, only this once.',
    run: async ({ work, body: { venue, ...sent } }) => {
      if (work.viewer.venues !== null) throw venueLimit(work.viewer, 'partners act for the whole business.');
      checkVenue(sent.kind, venue);
      const made = await newPartnerId(work);
      await insertRow(work, 'partner', { ...sent, id: made, venue_id: venue, sealed: newSecret(work, made) });
      work.record(partnerFeed.created, made, { partner: made });
      return made;
    },
  },
  update: async ({ work, body: { venue, ...sent }, target }) => {
    checkVenue(target.kind, venue === undefined ? target.venue_id : venue);
    const changed = changedNames({ ...sent, venue });
    if (await updateRow(work, 'partner', target.id, { ...sent, venue_id: venue }))
      work.record(partnerFeed.updated, target.id, { partner: target.id, changed });
  },
  remove: {
    description: 'Its messages are refused from now on. Bookings that it made stay.',
    run: async ({ work, target }) => {
      await updateRow(work, 'partner', target.id, { deleted_at: instant(work.now), status: 'paused' });
      work.record(partnerFeed.deleted, target.id, { partner: target.id });
    },
  },
});

const rotateSecret = action({
  path: '/partners/{id}/rotate_secret',
  summary: 'Rotate the secret of a partner',
  description: 'The response contains the new secret, only this once. The previous one ends.',
  who,
  target: partner,
  returns: one(partner),
  run: async ({ work, target }) => {
    await updateRow(work, 'partner', target.id, { sealed: newSecret(work, target.id) });
    work.record(partnerFeed.updated, target.id, { partner: target.id, changed: ['secret'] });
    return target.id;
  },
});

const send = action({
  path: '/partners/{id}/messages',
  summary: 'Send a message in place of a partner',
  description:
    'Acts on the message as if the partner had sent it, to try its settings. A dry run shows what would happen.',
  who,
  target: partner,
  status: 201,
  body: messageBody,
  problems: [
    ...Object.values(PARTNER_PROBLEMS),
    ...BOOKING_PROBLEMS,
    SCHEDULE_PROBLEMS.not_registered,
    SCHEDULE_PROBLEMS.event_started,
    SCHEDULE_PROBLEMS.attendance_already_marked,
  ],
  returns: one(partnerMessage),
  run: async ({ work, body: message, target }) => {
    const handled = await handle(work, target as PartnerRow, message);
    const answer = accepted(handled);
    return storeMessage(work, target.id, { externalId: null, bodyHash: null, type: message.type, answer });
  },
});

export const changePartners = [...partnerChanges, rotateSecret, send];
