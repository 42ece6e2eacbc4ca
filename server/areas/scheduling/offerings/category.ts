import { raw } from '../../../kernel/db/sql.ts';
import { id, text } from '../../../kernel/api/kinds.ts';
import { resource } from '../../../kernel/api/resource.ts';

export const offeringTypeCategory = resource('offering_type_category', {
  description: 'A category that offering types and events are grouped by.',
  fields: {
    id: id(),
    name: text({ max: 256 }),
    image: text()
      .nullable()
      .from(() => raw('NULL::text'))
      .describe('Always null: pictures of categories are not stored.'),
  },
  visible: { provider: true, customer: true, unregistered: true },
});
