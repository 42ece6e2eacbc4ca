/** What the business says to its customers: broadcasts, the notices that go out on their own, and who gets nothing. */
import './messages.css';
import { Broadcasts } from './broadcasts.tsx';
import { Notices } from './notices.tsx';
import { Suppressions } from './suppressions.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useAddress } from '../../app/address.ts';
import { words } from './words.ts';

export const { ready } = words;

const TABS = { broadcasts: Broadcasts, notices: Notices, suppressions: Suppressions } as const;
type TabName = keyof typeof TABS;
const NAMES = Object.keys(TABS) as TabName[];

export function Screen() {
  const [address] = useAddress();
  const tab = NAMES.find((one) => one === address.tab) ?? 'broadcasts';
  const Shown = TABS[tab];
  return (
    <div className="messages">
      <h1>{words.say('title')}</h1>
      <Tabs label={words.say('title')} tabs={NAMES} shown={tab} titleOf={(one) => words.say(`tab.${one}`)} />
      <section aria-labelledby="tab" key={tab}>
        <h2 id="tab" className="unseen">
          {words.say(`tab.${tab}`)}
        </h2>
        <Shown />
      </section>
    </div>
  );
}
