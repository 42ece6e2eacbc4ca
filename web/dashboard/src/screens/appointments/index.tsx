/** Appointments and room rentals: free times, bookings, and standing bookings. */
import '../../ui/lists.css';
import './appointments.css';
import { Booked } from './booked.tsx';
import { Free } from './free.tsx';
import { StandingBookings } from './standing/list.tsx';
import { Tabs, useTab } from '../../ui/tabs.tsx';
import { ListPage } from '../../ui/page.tsx';
import { words } from './words.ts';

export const { ready } = words;

const TABS = { free: Free, booked: Booked, standing: StandingBookings } as const;
const NAMES = Object.keys(TABS) as (keyof typeof TABS)[];

export function Screen() {
  const tab = useTab(NAMES);
  const Shown = TABS[tab];
  return (
    <ListPage title={words.say('title')} className="appointments">
      <Tabs label={words.say('tabs')} tabs={NAMES} shown={tab} titleOf={(one) => words.say(`tab.${one}`)} />
      <Shown key={tab} />
    </ListPage>
  );
}
