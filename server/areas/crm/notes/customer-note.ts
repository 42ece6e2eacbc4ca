import { boolean, id, instant, oneOf, ref, text } from '../../../kernel/api/kinds.ts';
import { may } from '../../../kernel/access/viewer.ts';
import { resource } from '../../../kernel/api/resource.ts';

export const NOTE_KINDS = ['note', 'call', 'visit', 'email'] as const;

export const customerNote = resource('customer_note', {
  description: 'What staff wrote down about a customer: a remark, or a talk that they had. Customers never see it.',
  fields: {
    id: id(),
    customer: ref('customer'),
    kind: oneOf(NOTE_KINDS),
    text: text({ max: 10_000 }),
    author: ref('staff', 'author_id').nullable().describe('Null: a program wrote it.'),
    at: instant().describe('When it was.'),
    pinned: boolean(),
    created_at: instant(),
    updated_at: instant(),
  },
  visible: { provider: (_t, viewer) => may(viewer, 'customers'), customer: false, unregistered: false },
});
