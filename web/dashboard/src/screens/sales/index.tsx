/** Sales and money: invoices, payments, recurring plans, checkouts, referrals, and the books. */
import '../../ui/lists.css';
import './sales.css';
import { Books } from './books.tsx';
import { Checkouts } from './checkouts.tsx';
import { Invoices } from './invoices.tsx';
import { Payments } from './payments.tsx';
import { Recurring } from './recurring.tsx';
import { Referrals } from './referrals.tsx';
import { Tabbed, useAllowed, useTab, type Part } from '../../ui/tabs.tsx';
import { ListPage } from '../../ui/page.tsx';
import { words } from './words.ts';

export const { ready } = words;

const TABS = {
  invoices: { needs: ['pos', 'store'], Shown: Invoices },
  payments: { needs: ['customer_payments', 'pos'], Shown: Payments },
  recurring: { needs: ['customer_payments'], Shown: Recurring },
  checkouts: { needs: ['pos'], Shown: Checkouts },
  referrals: { needs: ['customer_payments'], Shown: Referrals },
  books: { needs: ['revenue'], Shown: Books },
} as const satisfies Readonly<Record<string, Part>>;

export function Screen() {
  const tabs = useAllowed(TABS);
  const shown = useTab(tabs);
  const { Shown } = TABS[shown];
  return (
    <ListPage title={words.say('title')} className="sales">
      <Tabbed label={words.say('tabs')} tabs={tabs} shown={shown} titleOf={(one) => words.say(`tab.${one}`)}>
        <Shown />
      </Tabbed>
    </ListPage>
  );
}
