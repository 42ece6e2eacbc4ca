import { raw, sql } from '../../../kernel/base/db/sql.ts';
import { boolean, id, personName, ref, text } from '../../../kernel/base/fields/kinds.ts';
import { permissions, printFlags } from './staff-member.ts';
import { resource } from '../../../kernel/api/resource.ts';
import { viewedByStaff } from '../../../kernel/work/access/viewer.ts';

const ofStaffMember = (t: string) => sql`CASE WHEN ${viewedByStaff}::boolean THEN (
    SELECT array_to_string(s.permissions, ',') FROM staff s
    WHERE s.provider_id = ${raw(t)}.provider_id AND s.id = ${raw(t)}.staff_id) END`;

/** The URL of a picture, or null. */
const picture = () =>
  text({
    max: 2000,
    blank: true,
    pattern: /^$|^https?:\/\/[^\s<>"]+$/i,
    hint: 'Must be a URL that starts with http:// or https://, or empty.',
  });

export const instructor = resource('instructor', {
  description: 'A staff member who teaches, as customers see them.',
  fields: {
    id: id(),
    name: personName({ max: 256 }),
    picture_url: picture().describe(
      'Empty if there is none. For pages of the business, the `url` of an image that was uploaded: they show no pictures of other hosts.',
    ),
    description: text({ blank: true }),
    permissions: permissions()
      .nullable()
      .computed((t) => [ofStaffMember(t)], printFlags)
      .describe('Permissions of the staff member. Null for customers and visitors.'),
    staff: ref('staff'),
    archived: boolean(),
  },
  visible: {
    provider: true,
    customer: (t) => raw(`NOT ${t}.archived`),
    unregistered: (t) => raw(`NOT ${t}.archived`),
  },
});
