import { raw } from '../../kernel/db/sql.ts';
import { id, text } from '../../kernel/api/kinds.ts';
import { resource } from '../../kernel/api/resource.ts';

export const offeringTypeCategory = resource('offering_type_category', {
  description: 'A heading under which offering types and events are shown.',
  fields: {
    id: id(),
    name: text({ max: 256 }),
    image: text().nullable().from(() => raw('NULL::text')).describe('Null: pictures of categories are not kept.'),
  },
  visible: { provider: true, customer: true, unregistered: true },
});
