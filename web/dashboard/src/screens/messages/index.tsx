/** Communication with customers: broadcasts, automatic notices, and suppressions. */
import './messages.css';
import { Broadcasts } from './broadcasts.tsx';
import { Notices } from './notices.tsx';
import { Suppressions } from './suppressions.tsx';
import { Tabbed, useTab } from '../../ui/tabs.tsx';
import { ListPage } from '../../ui/page.tsx';
import { words } from './words.ts';
import { words as ofNotices } from '../../notices/words.ts';

export const ready = Promise.all([words.ready, ofNotices.ready]).then(() => {});

const TABS = { broadcasts: Broadcasts, notices: Notices, suppressions: Suppressions } as const;
const NAMES = Object.keys(TABS) as (keyof typeof TABS)[];

export function Screen() {
  const tab = useTab(NAMES);
  const Shown = TABS[tab];
  return (
    <ListPage title={words.say('title')} className="messages">
      <Tabbed label={words.say('title')} tabs={NAMES} shown={tab} titleOf={(one) => words.say(`tab.${one}`)}>
        <Shown />
      </Tabbed>
    </ListPage>
  );
}
