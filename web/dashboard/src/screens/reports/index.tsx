/** All reports that the person may read, their exported files, and scheduled emails. */
import '../../ui/filters.css';
import '../../ui/lists.css';
import './reports.css';
import { useState, type ComponentType } from 'react';
import { Link } from '@tanstack/react-router';
import { Described } from './described.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { language } from '../../words/language.ts';
import { Files } from './files.tsx';
import { Schedules } from './schedules.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { ui } from '../../ui/words.ts';
import { useAddress } from '../../app/address.ts';
import { useBusiness } from '../../app/business.ts';
import { useReports } from './read.ts';
import { words } from './words.ts';

export const { ready } = words;

const TABS = { reports: All, files: Files, schedules: Schedules } as const satisfies Readonly<
  Record<string, ComponentType>
>;

type TabName = keyof typeof TABS;
const NAMES = Object.keys(TABS) as TabName[];

export function Screen() {
  const [address] = useAddress();
  const shown = NAMES.find((one) => one === address.tab) ?? 'reports';
  const Shown = TABS[shown];
  return (
    <div className="reports">
      <h1>{words.say('title')}</h1>
      <Tabs label={words.say('tabs')} tabs={NAMES} shown={shown} titleOf={(one) => words.say(`tab.${one}`)} />
      <section aria-labelledby="tab" key={shown}>
        <h2 id="tab" className="unseen">
          {words.say(`tab.${shown}`)}
        </h2>
        <Shown />
      </section>
    </div>
  );
}

function All() {
  const { id: business } = useBusiness();
  const [text, setText] = useState('');
  const found = useReports();
  if (found.error) return <Failed error={found.error} again={() => void found.refetch()} />;
  if (!found.data) return <Loading />;
  const wanted = text.trim().toLowerCase();
  const all = found.data.reports
    .filter(({ label, description }) => `${label} ${description}`.toLowerCase().includes(wanted))
    .toSorted((a, b) => a.label.localeCompare(b.label, language));
  return (
    <>
      <div className="tools" role="search" aria-label={ui.say('search')}>
        <label>
          {ui.say('search')}
          <input type="search" value={text} onChange={(event) => setText(event.target.value)} />
        </label>
      </div>
      {all.length === 0 ? <p className="soft">{ui.say('none')}</p> : null}
      <ul className="report-list" aria-label={words.say('tab.reports')}>
        {all.map(({ name, label, description }) => (
          <li key={name} className="card">
            <h3>
              <Link to={`/${business}/reports/${name}` as string}>{label}</Link>
            </h3>
            <p className="small">
              <Described text={description} />
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}
