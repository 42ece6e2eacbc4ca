import { PERMISSIONS, type StaffPermission } from './permissions.ts';
import { raw } from '../../../kernel/base/db/sql.ts';
import { boolean, email, id, idsOf, object, personName, text } from '../../../kernel/base/fields/kinds.ts';
import { permissionFlags } from './rules/permissions.ts';
import { resource } from '../../../kernel/api/resource.ts';
import type { Field } from '../../../kernel/base/fields/field.ts';

const flags = Object.fromEntries(PERMISSIONS.map((p) => [p, boolean().optional()])) as Record<
  StaffPermission,
  Field<boolean | undefined>
>;

/** In responses, a flag for each permission; requests may send any of them. */
export const permissions = () => object(flags);

/** Returns the flags of an array column, which is read as a comma-separated list; null if there is none. */
export const printFlags = ([list]: (string | null)[]) =>
  list === null ? null : permissionFlags(PERMISSIONS, list.split(',').filter(Boolean) as StaffPermission[]);

/** The venues of the array column, as links. */
const venueLink = {
  table: '(SELECT provider_id, id AS staff_id, unnest(venue_ids) AS venue_id FROM staff)',
  parent: 'staff_id',
  child: 'venue_id',
};

export const staffMember = resource('staff', {
  description: 'A person who works at the business, and what they may do there.',
  fields: {
    id: id(),
    first_name: personName({ max: 128 }),
    last_name: personName({ max: 128 }),
    name: text().from((t) => raw(`${t}.first_name || ' ' || ${t}.last_name`)),
    email: email().describe(
      'Shown to staff with the permission `customers`, who see how to reach people, and to super admins.',
    ),
    permissions: permissions()
      .computed((t) => [raw(`array_to_string(${t}.permissions, ',')`)], printFlags)
      .describe('Permissions that were granted. `super_admin` includes all of them.'),
    user: id()
      .nullable()
      .from((t) => raw(`${t}.user_id`))
      .describe('The account that this person logs in with. Null if there is none yet.'),
    venues: idsOf('venue', venueLink)
      .deferred()
      .describe('Venues where the permissions about bookings and events apply. Empty means all venues.'),
    archived: boolean(),
  },
  visible: { provider: true, customer: false, unregistered: false },
  shown: { email: { provider: ['customers'] } },
});
