/** What regular customers buy, and what follows from it: plans and packs, holds, discount codes, strikes and penalties. */
import '../../ui/lists.css';
import './memberships.css';
import type { ComponentType } from 'react';
import { Codes } from './codes/list.tsx';
import { Holds } from './holds/list.tsx';
import { Membership } from './plans/membership.tsx';
import { may, useBusiness } from '../../app/business.ts';
import { Penalties } from './strikes/penalties.tsx';
import { Plans } from './plans/list.tsx';
import { Strikes } from './strikes/list.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useAddress } from '../../app/address.ts';
import { words } from './words.ts';
import { words as ofMemberships } from '../../memberships/words.ts';

export const ready = Promise.all([words.ready, ofMemberships.ready]).then(() => {});

interface Tab {
  /** any of these permissions */
  readonly needs: readonly string[];
  readonly Shown: ComponentType;
}

const TABS = {
  plans: { needs: ['customers'], Shown: Plans },
  holds: { needs: ['customers'], Shown: Holds },
  codes: { needs: ['discount_codes'], Shown: Codes },
  strikes: { needs: ['customers'], Shown: Strikes },
  penalties: { needs: ['customers'], Shown: Penalties },
} as const satisfies Readonly<Record<string, Tab>>;

type TabName = keyof typeof TABS;

export function Screen() {
  const business = useBusiness();
  const [address] = useAddress();
  const tabs = (Object.keys(TABS) as TabName[]).filter((one) => may(business, ...TABS[one].needs));
  const shown = tabs.find((one) => one === address.tab) ?? tabs[0];
  const { Shown } = TABS[shown];
  return (
    <div className="memberships">
      <h1>{words.say('title')}</h1>
      <Tabs label={words.say('tabs')} tabs={tabs} shown={shown} titleOf={(one) => words.say(`tab.${one}`)} />
      <section aria-labelledby="tab" key={shown}>
        <h2 id="tab" className="unseen">
          {words.say(`tab.${shown}`)}
        </h2>
        {shown === 'plans' && address.membership ? (
          <Membership key={address.membership} id={Number(address.membership)} />
        ) : (
          <Shown />
        )}
      </section>
    </div>
  );
}
