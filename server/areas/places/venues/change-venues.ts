import { boolean, id, object } from '../../../kernel/base/fields/kinds.ts';
import { changes } from '../../../kernel/api/resource-changes.ts';
import { staffWith } from '../../../kernel/api/endpoint.ts';
import { invalid, Problem } from '../../../kernel/base/problem.ts';
import { changeVenue, createVenue } from './writes.ts';
import { eventsInWords } from './in-words.ts';
import { physicalAddress, venue } from './venue.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const f = venue.fields;

const body = {
  name: f.name,
  venue_type: f.venue_type,
  timezone: f.timezone,
  description: f.description.optional(),
  physical_address: object(physicalAddress).nullable().optional(),
  video_url: f.video_url.optional(),
  video_url_type: f.video_url_type.optional(),
  zoom_user: id()
    .nullable()
    .optional()
    .describe('Only null: Zoom accounts can’t be connected. Put the address of the meeting into `video_url`.'),
  archived: boolean().optional(),
};

export const changeVenues = changes(venue, {
  path: '/venues',
  noun: 'venue',
  who: staffWith('super_admin'),
  body,
  create: ({ work, body: { zoom_user, ...body } }) => {
    checkZoomUser(zoom_user);
    return createVenue(work, body);
  },
  update: {
    description: 'A venue with events that have not ended can’t be archived, and its time zone can’t be changed.',
    problems: ['in_use', 'conflict'],
    run: async ({ work, body: { zoom_user, ...body }, target }) => {
      checkZoomUser(zoom_user);
      const moves = body.timezone !== undefined && body.timezone !== target.timezone;
      const closes = body.archived === true && !target.archived;
      if (moves || closes) await checkNothingAhead(work, target.id, closes ? 'archived' : 'timezone');
      await changeVenue(work, target.id, body);
    },
  },
});

function checkZoomUser(user: number | null | undefined): void {
  if (typeof user === 'number')
    throw invalid('zoom_user', 'Zoom accounts can’t be connected. Put the address of the meeting into `video_url`.');
}

/**
 * Events are planned in the local time of their venue: a different zone would change either their UTC times or their
 * local times without anybody's consent. The venue's row is locked, so no event can be added to it meanwhile.
 */
async function checkNothingAhead(work: Work, venueId: number, because: 'archived' | 'timezone'): Promise<void> {
  const n = await work.registry.countUses('venue', work, venueId);
  if (n === 0) return;
  const why = `The venue has ${eventsInWords(n)} that ${n === 1 ? 'has' : 'have'} not ended.`;
  if (because === 'archived')
    throw new Problem('in_use', `${why} Cancel them or move them to another venue, then archive it.`, {
      archived: [why],
    });
  const remedy = 'Cancel them or move them to a venue in the new time zone first, or create a new venue there.';
  throw new Problem('conflict', `${why} Their times are local times in the current time zone. ${remedy}`, {
    timezone: [why],
  });
}
