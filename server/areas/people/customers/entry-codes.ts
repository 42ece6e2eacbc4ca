import { action, answer, read, type Who } from '../../../kernel/api/endpoint.ts';
import { checkActsFor } from './acting.ts';
import { customer } from './customer.ts';
import { customerFeed } from './feed.ts';
import { entryCodes } from './entry-code.ts';
import { text } from '../../../kernel/base/fields/kinds.ts';
import { updateRow } from '../../../kernel/work/unit/row.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Staff who look after customers; customers for themselves and for the children they manage. */
const who: Who = { provider: ['customers'], customer: true, unregistered: false };

const returns = answer({ code: text().describe('For example `#217-7KQ2MX9P4T`.') });

const codeFor = async (work: Work, id: number): Promise<{ code: string }> => ({
  code: (await entryCodes(work, work.installation.box, [id])).get(id)!,
});

const getCode = read({
  path: '/customers/{id}/entry_code',
  summary: 'Get the entry code of a customer',
  description: 'The code on their pass, which opens doors and which the desk scans.',
  who,
  target: customer,
  returns,
  run: async ({ work, target }) => {
    await checkActsFor(work, target.id);
    return codeFor(work, target.id);
  },
});

const resetCode = action({
  path: '/customers/{id}/entry_code/reset',
  summary: 'Replace the entry code of a customer',
  description:
    'For a code that others know, or a phone that was lost. The old code stops working immediately, also on passes that were saved before. Returns the new one.',
  who,
  target: customer,
  body: {},
  returns,
  run: async ({ work, target }) => {
    await checkActsFor(work, target.id);
    await updateRow(work, 'customer', target.id, { entry_code_number: Number(target.entry_code_number) + 1 });
    work.record(customerFeed.entry_code_reset, target.id, { customer: target.id });
    return codeFor(work, target.id);
  },
});

export const entryCodeEndpoints = [getCode, resetCode];
