import { boolean, id, instant, text } from '../../../kernel/api/kinds.ts';
import { color, slug } from '../slug-field.ts';
import { may } from '../../../kernel/access/viewer.ts';
import { resource } from '../../../kernel/api/resource.ts';

export const customerLabel = resource('customer_label', {
  description: 'A word that staff put on customers. A customer has as many as are put on; customers never see them.',
  fields: {
    id: id(),
    name: text({ max: 64 }),
    slug: slug().describe('What conditions, feed items and programs call it. It never changes.'),
    color: color(),
    archived: boolean().describe('Stays on those who have it, and is put on nobody else.'),
    created_at: instant(),
  },
  visible: { provider: (_t, viewer) => may(viewer, 'customers'), customer: false, unregistered: false },
});
