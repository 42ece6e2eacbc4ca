/** What was sold and what became of the money: invoices, payments, recurring plans, checkouts, referrals, and the books. */
import '../../ui/lists.css';
import './sales.css';
import type { ComponentType } from 'react';
import { Books } from './books.tsx';
import { Checkouts } from './checkouts.tsx';
import { Invoices } from './invoices.tsx';
import { may, useBusiness } from '../../app/business.ts';
import { Payments } from './payments.tsx';
import { Recurring } from './recurring.tsx';
import { Referrals } from './referrals.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useAddress } from '../../app/address.ts';
import { words } from './words.ts';

export const { ready } = words;

interface Tab {
  /** any of these permissions */
  readonly needs: readonly string[];
  readonly Shown: ComponentType;
}

const TABS = {
  invoices: { needs: ['pos', 'store'], Shown: Invoices },
  payments: { needs: ['customer_payments', 'pos'], Shown: Payments },
  recurring: { needs: ['customer_payments'], Shown: Recurring },
  checkouts: { needs: ['pos'], Shown: Checkouts },
  referrals: { needs: ['customer_payments'], Shown: Referrals },
  books: { needs: ['revenue'], Shown: Books },
} as const satisfies Readonly<Record<string, Tab>>;

type TabName = keyof typeof TABS;

export function Screen() {
  const business = useBusiness();
  const [address] = useAddress();
  const tabs = (Object.keys(TABS) as TabName[]).filter((one) => may(business, ...TABS[one].needs));
  const shown = tabs.find((one) => one === address.tab) ?? tabs[0];
  const { Shown } = TABS[shown];
  return (
    <div className="sales">
      <h1>{words.say('title')}</h1>
      <Tabs label={words.say('tabs')} tabs={tabs} shown={shown} titleOf={(one) => words.say(`tab.${one}`)} />
      <section aria-labelledby="tab" key={shown}>
        <h2 id="tab" className="unseen">
          {words.say(`tab.${shown}`)}
        </h2>
        <Shown />
      </section>
    </div>
  );
}
