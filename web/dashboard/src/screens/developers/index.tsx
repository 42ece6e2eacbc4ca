/** The screen for developers: webhooks, applications, tokens, partners, examples, and the clock of a test business. */
import './developers.css';
import { Applications } from './applications.tsx';
import { Clock } from './clock.tsx';
import { Examples } from './examples.tsx';
import { Partners } from './partners.tsx';
import { useBusiness } from '../../app/business.ts';
import { Tabbed, useAllowed, useTab, type Part } from '../../ui/tabs.tsx';
import { Tokens } from './tokens.tsx';
import { Webhooks } from './webhooks.tsx';
import { SettingsPage } from '../../ui/page.tsx';
import { words } from './words.ts';

export const { ready } = words;

interface Tab extends Part {
  /** only for test businesses */
  readonly ofTests?: boolean;
}

const TABS = {
  webhooks: { needs: ['developer'], Shown: Webhooks },
  tokens: { needs: ['super_admin'], Shown: Tokens },
  applications: { needs: ['super_admin'], Shown: Applications },
  partners: { needs: ['super_admin'], Shown: Partners },
  examples: { needs: ['developer'], Shown: Examples },
  clock: { needs: ['developer'], ofTests: true, Shown: Clock },
} as const satisfies Readonly<Record<string, Tab>>;

export function Screen() {
  const business = useBusiness();
  const tabs = useAllowed(TABS).filter((one) => business.isTest || !(TABS[one] as Tab).ofTests);
  const tab = useTab(tabs);
  const { Shown } = TABS[tab];
  return (
    <SettingsPage title={words.say('title')} className="developers">
      <Tabbed label={words.say('title')} tabs={tabs} shown={tab} titleOf={(one) => words.say(`tab.${one}`)}>
        <Shown />
      </Tabbed>
    </SettingsPage>
  );
}
