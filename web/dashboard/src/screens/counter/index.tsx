/** The desk: sales by keyboard, its cash drawers, and past sales. */
import './counter.css';
import { Drawers } from './drawers.tsx';
import { Sales } from './sales.tsx';
import { Sell } from './sell.tsx';
import { Tabs, useTab } from '../../ui/tabs.tsx';
import { HomePage } from '../../ui/page.tsx';
import { words } from './words.ts';
import { words as ofPerson } from '../../person/words.ts';

export const ready = Promise.all([words.ready, ofPerson.ready]).then(() => {});

const TABS = { sell: Sell, drawers: Drawers, sales: Sales } as const;
const NAMES = Object.keys(TABS) as (keyof typeof TABS)[];

export function Screen() {
  const tab = useTab(NAMES);
  const Shown = TABS[tab];
  return (
    <HomePage title={words.say('title')} className="counter">
      <Tabs label={words.say('tabs')} tabs={NAMES} shown={tab} titleOf={(one) => words.say(`tab.${one}`)} />
      <Shown />
    </HomePage>
  );
}
