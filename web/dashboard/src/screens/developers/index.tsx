/** For those who connect other programs: webhooks, applications, tokens, examples to begin with, and the clock of a test business. */
import './developers.css';
import { Applications } from './applications.tsx';
import { Clock } from './clock.tsx';
import { Examples } from './examples.tsx';
import { may, useBusiness } from '../../app/business.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { Tokens } from './tokens.tsx';
import { useAddress } from '../../app/address.ts';
import { Webhooks } from './webhooks.tsx';
import { words } from './words.ts';
import type { ComponentType } from 'react';

export const { ready } = words;

interface Tab {
  /** any of these permissions */
  readonly needs: readonly string[];
  /** only at test businesses */
  readonly ofTests?: boolean;
  readonly Shown: ComponentType;
}

const TABS = {
  webhooks: { needs: ['developer'], Shown: Webhooks },
  tokens: { needs: ['super_admin'], Shown: Tokens },
  applications: { needs: ['super_admin'], Shown: Applications },
  examples: { needs: ['developer'], Shown: Examples },
  clock: { needs: ['developer'], ofTests: true, Shown: Clock },
} as const satisfies Readonly<Record<string, Tab>>;
type TabName = keyof typeof TABS;

export function Screen() {
  const business = useBusiness();
  const [address] = useAddress();
  const tabs = (Object.keys(TABS) as TabName[]).filter((one) => {
    const { needs, ofTests = false }: Tab = TABS[one];
    return may(business, ...needs) && (business.isTest || !ofTests);
  });
  const tab = tabs.find((one) => one === address.tab) ?? 'webhooks';
  const { Shown } = TABS[tab];
  return (
    <div className="developers">
      <h1>{words.say('title')}</h1>
      <Tabs label={words.say('title')} tabs={tabs} shown={tab} titleOf={(one) => words.say(`tab.${one}`)} />
      <section aria-labelledby="tab" key={tab}>
        <h2 id="tab" className="unseen">
          {words.say(`tab.${tab}`)}
        </h2>
        <Shown />
      </section>
    </div>
  );
}
