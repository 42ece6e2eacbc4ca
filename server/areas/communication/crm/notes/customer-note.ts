import { boolean, id, instant, oneOf, ref, text } from '../../../../kernel/base/fields/kinds.ts';
import { may } from '../../../../kernel/work/access/viewer.ts';
import { resource } from '../../../../kernel/api/resource.ts';

export const NOTE_KINDS = ['note', 'call', 'visit', 'email'] as const;

export const customerNote = resource('customer_note', {
  description:
    'A note that staff wrote about a customer, for example a remark or a conversation. Customers never see it.',
  fields: {
    id: id(),
    customer: ref('customer'),
    kind: oneOf(NOTE_KINDS),
    text: text({ max: 10_000 }),
    author: ref('staff', 'author_id').nullable().describe('Null if a program wrote it.'),
    at: instant().describe('When it happened.'),
    pinned: boolean(),
    created_at: instant(),
    updated_at: instant(),
  },
  visible: { provider: (_t, viewer) => may(viewer, 'customers'), customer: false, unregistered: false },
});
