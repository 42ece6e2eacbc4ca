/** All reports that the person may read, their exported files, and scheduled emails. */
import '../../ui/filters.css';
import '../../ui/lists.css';
import './reports.css';
import { useState, type ComponentType } from 'react';
import { Link } from '@tanstack/react-router';
import { Board } from './board.tsx';
import { Described } from './described.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { language } from '../../words/language.ts';
import { Files } from './files.tsx';
import { Schedules } from './schedules.tsx';
import { openingQuery } from './report/query.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { ui } from '../../ui/words.ts';
import { useAddress } from '../../app/address.ts';
import { None } from '../../ui/listed.tsx';
import { useBusiness } from '../../app/business.ts';
import { useReports } from './read.ts';
import { ListPage } from '../../ui/page.tsx';
import { words } from './words.ts';

export const { ready } = words;

const TOPICS = ['money', 'members', 'classes', 'store'] as const;

const TABS = { board: Board, reports: All, files: Files, schedules: Schedules } as const satisfies Readonly<
  Record<string, ComponentType>
>;

type TabName = keyof typeof TABS;
const NAMES = Object.keys(TABS) as TabName[];

export function Screen() {
  const [address] = useAddress();
  const shown = NAMES.find((one) => one === address.tab) ?? 'board';
  const Shown = TABS[shown];
  return (
    <ListPage title={words.say('title')} className="reports">
      <Tabs label={words.say('tabs')} tabs={NAMES} shown={shown} titleOf={(one) => words.say(`tab.${one}`)} />
      <section aria-labelledby="tab" key={shown}>
        <h2 id="tab" className="unseen">
          {words.say(`tab.${shown}`)}
        </h2>
        <Shown />
      </section>
    </ListPage>
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
  const topics = TOPICS.map((topic) => [topic, all.filter((one) => one.topic === topic)] as const);
  return (
    <>
      <div className="tools" role="search" aria-label={ui.say('search')}>
        <label>
          {ui.say('search')}
          <input type="search" value={text} onChange={(event) => setText(event.target.value)} />
        </label>
      </div>
      {all.length === 0 ? <None text={ui.say('none')} /> : null}
      {topics.map(([topic, reports]) =>
        reports.length === 0 ? null : (
          <section key={topic} aria-labelledby={`topic-${topic}`}>
            <h3 id={`topic-${topic}`}>{words.say(`topic.${topic}`)}</h3>
            <ul className="report-list" aria-labelledby={`topic-${topic}`}>
              {reports.map((report) => (
                <li key={report.name} className="card">
                  <h4>
                    <Link to={`/${business}/reports/${report.name}` as string} search={openingQuery(report) as never}>
                      {report.label}
                    </Link>
                  </h4>
                  <p className="small">
                    <Described text={report.description} report={report} />
                  </p>
                </li>
              ))}
            </ul>
          </section>
        ),
      )}
    </>
  );
}
