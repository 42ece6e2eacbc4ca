import { boolean, id, instant, text } from '../../../../kernel/base/fields/kinds.ts';
import { color, slug } from '../slug-field.ts';
import { may } from '../../../../kernel/work/access/viewer.ts';
import { resource } from '../../../../kernel/api/resource.ts';

/** The labels of a customer. */
export const customerLabelLink = { table: 'customer_label_link', parent: 'customer_id', child: 'customer_label_id' };

export const customerLabel = resource('customer_label', {
  description: 'A tag that staff put on customers. A customer can have any number of labels; customers never see them.',
  fields: {
    id: id(),
    name: text({ max: 64 }),
    slug: slug().describe('The name that conditions, feed items and programs use for it. It never changes.'),
    color: color(),
    archived: boolean().describe('Customers who have it keep it, and nobody else can get it.'),
    created_at: instant(),
  },
  visible: { provider: (_t, viewer) => may(viewer, 'customers'), customer: false, unregistered: false },
});
