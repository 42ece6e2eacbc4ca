/** For those who connect other programs: webhooks, applications, tokens, and examples to begin with. */
import './developers.css';
import { Applications } from './applications.tsx';
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
  readonly Shown: ComponentType;
}

const TABS = {
  webhooks: { needs: ['developer'], Shown: Webhooks },
  tokens: { needs: ['super_admin'], Shown: Tokens },
  applications: { needs: ['super_admin'], Shown: Applications },
  examples: { needs: ['developer'], Shown: Examples },
} as const satisfies Readonly<Record<string, Tab>>;
type TabName = keyof typeof TABS;

export function Screen() {
  const business = useBusiness();
  const [address] = useAddress();
  const tabs = (Object.keys(TABS) as TabName[]).filter((one) => may(business, ...TABS[one].needs));
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
