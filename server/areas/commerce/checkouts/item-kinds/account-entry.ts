/** Charges of a customer's account that are paid together with other items. */
import { invalid } from '../../../../kernel/base/problem.ts';
import { openEntries, type OpenEntry } from '../../../money/account-entries/index.ts';
import type { ItemKind } from './kind.ts';
import type { ItemRow } from '../rows.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

const charges = async (work: Work, customer: number): Promise<OpenEntry[]> =>
  (await openEntries(work, customer)).filter(({ kind }) => kind === 'charge');

const gone = () =>
  invalid('account_entry', {
    staff:
      'There is no such open charge on the account of this customer. It may have been billed or voided. For a charge of somebody else, send their id as `customer`.',
    customer: 'This charge has been paid or cancelled already.',
  });

async function entriesOf(work: Work, items: readonly ItemRow[]): Promise<Map<number, OpenEntry>> {
  const found = new Map<number, OpenEntry>();
  for (const [customer, theirs] of Map.groupBy(items, (item) => item.customer_id)) {
    const open = await charges(work, customer);
    for (const item of theirs) found.set(item.id, open.find(({ id }) => id === item.account_entry_id) ?? raise(gone()));
  }
  return found;
}

export const ACCOUNT_ENTRY: ItemKind = {
  type: 'ACCT_ENTRY',
  description: 'A charge of the account of a customer, for example a penalty. An addition of Rollcall.',
  needs: ['account_entry'],
  rank: 4,
  fixed: 'The amount of a charge can’t be changed here. Void the charge, and add another one.',
  line: () => 'flat_fee',
  check: async (work, { account_entry_id, customer_id }, { items }) => {
    if (items.some((item) => item.account_entry_id === account_entry_id))
      throw invalid('account_entry', 'This charge is already in the checkout.');
    if (!(await charges(work, customer_id)).some(({ id }) => id === account_entry_id)) throw gone();
  },
  facts: async (work, items) => {
    const entries = await entriesOf(work, items);
    return new Map(
      items.map((item) => {
        const { explanation, amount } = entries.get(item.id)!;
        const description = explanation.slice(0, 1000);
        return [
          item.id,
          { description, unitPrice: amount, recurringPrice: null, taxed: null, discounted: null, credit: 0 },
        ];
      }),
    );
  },
  fulfil: async (work, { item }) => {
    const { id, price, revenue } = (await entriesOf(work, [item])).get(item.id)!;
    return { object: 'account_entry', id, name: item.description, entry: id, price, line: revenue };
  },
};

function raise(error: Error): never {
  throw error;
}
