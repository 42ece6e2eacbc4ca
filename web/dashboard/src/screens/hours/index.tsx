/** The availability of instructors and rooms: hours, blocked times, closures. */
import '../../hours/hours.css';
import '../../ui/filters.css';
import '../../ui/lists.css';
import type { ComponentType } from 'react';
import { Calendars } from './calendars.tsx';
import { BlockedTimes } from './blocked.tsx';
import { Closures } from './closures.tsx';
import { may, useBusiness } from '../../app/business.ts';
import { Schedules } from './schedules.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useAddress } from '../../app/address.ts';
import { words } from '../../hours/words.ts';
import { words as ofCalendars } from '../../calendars/words.ts';
import { ListPage } from '../../ui/page.tsx';

export const ready = Promise.all([words.ready, ofCalendars.ready]).then(() => {});

const TABS = {
  schedules: { needs: ['manage_events'], Shown: Schedules },
  blocked: { needs: ['manage_events'], Shown: BlockedTimes },
  calendars: { needs: ['manage_events'], Shown: Calendars },
  closures: { needs: ['super_admin'], Shown: Closures },
} as const satisfies Readonly<Record<string, { needs: readonly string[]; Shown: ComponentType }>>;

type TabName = keyof typeof TABS;

export function Screen() {
  const business = useBusiness();
  const [address] = useAddress();
  const shown = (Object.keys(TABS) as TabName[]).filter((one) => may(business, ...TABS[one].needs));
  const tab = shown.find((one) => one === address.tab) ?? 'schedules';
  const { Shown } = TABS[tab];
  return (
    <ListPage title={words.say('title')} className="hours">
      <Tabs label={words.say('tabs')} tabs={shown} shown={tab} titleOf={(one) => words.say(`tab.${one}`)} />
      <Shown key={tab} />
    </ListPage>
  );
}
