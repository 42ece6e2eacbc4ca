import { id, text } from '../../../kernel/base/fields/kinds.ts';
import { shownImage } from '../../platform/images/index.ts';
import { resource } from '../../../kernel/api/resource.ts';

export const offeringTypeCategory = resource('offering_type_category', {
  description: 'A category that offering types and events are grouped by.',
  fields: {
    id: id(),
    name: text({ max: 256 }),
    image: shownImage().nullable().describe('A picture of it.'),
  },
  visible: { provider: true, customer: true, unregistered: true },
});
