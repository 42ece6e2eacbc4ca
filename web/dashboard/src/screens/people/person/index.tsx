/** One customer: their record, bookings, purchases, messages and history. */
import './person.css';
import { Link } from '@tanstack/react-router';
import { useEffect, type ComponentType } from 'react';
import { Account } from './account.tsx';
import { Bookings } from './bookings.tsx';
import { calendarDayOf, dateAt } from '../../../words/times.ts';
import { Empty, Failed, Loading } from '../../../ui/states.tsx';
import { Family } from './family.tsx';
import { History as HistoryOf } from '../../../ui/history/index.tsx';
import { may, useBusiness } from '../../../app/business.ts';
import { Memberships } from './memberships.tsx';
import { Messages } from './messages.tsx';
import { nameOf } from '../../../app/customers.ts';
import { Notes } from './notes.tsx';
import { Overview } from './overview.tsx';
import { PersonalData } from './personal-data.tsx';
import { Preferences } from './preferences.tsx';
import { problemOf } from '../../../app/calls.ts';
import { Tabs } from '../../../ui/tabs.tsx';
import { Tasks } from './tasks.tsx';
import { useAddress } from '../../../app/address.ts';
import { usePerson, type TabProps } from './person.ts';
import { useParam } from '../../../app/address.ts';
import { words } from './words.ts';
import { words as ofCalendars } from '../../../calendars/words.ts';
import { words as ofMemberships } from '../../../memberships/words.ts';

export const ready = Promise.all([words.ready, ofMemberships.ready, ofCalendars.ready]).then(() => {});

const History = ({ person }: TabProps) => <HistoryOf object="customer" id={person.id} />;

interface Tab {
  /** any of these permissions; empty: everybody who sees customers */
  readonly needs: readonly string[];
  readonly Shown: ComponentType<TabProps>;
}

const TABS = {
  overview: { needs: [], Shown: Overview },
  bookings: { needs: [], Shown: Bookings },
  memberships: { needs: [], Shown: Memberships },
  account: { needs: ['customers', 'customer_payments', 'revenue', 'pos', 'store'], Shown: Account },
  messages: { needs: ['customers'], Shown: Messages },
  notes: { needs: ['customers'], Shown: Notes },
  tasks: { needs: ['customers'], Shown: Tasks },
  family: { needs: [], Shown: Family },
  preferences: { needs: ['customers'], Shown: Preferences },
  history: { needs: ['super_admin'], Shown: History },
  data: { needs: ['super_admin'], Shown: PersonalData },
} as const satisfies Readonly<Record<string, Tab>>;

type TabName = keyof typeof TABS;

export function Screen() {
  const business = useBusiness();
  const id = Number(useParam('customer'));
  const [address] = useAddress();
  const found = usePerson(id);
  const person = found.data?.person;
  const name = person ? nameOf(person) : '';
  useEffect(() => {
    if (name) document.title = `${name} – ${business.name}`;
  }, [name, business.name]);
  if (found.error && !person) {
    if (problemOf(found.error)?.code !== 'not_found')
      return <Failed error={found.error} again={() => void found.refetch()} />;
    return (
      <Empty title={words.say('not_here')}>
        <p>{words.say('not_here.next')}</p>
        <p>
          <Link to={`/${business.id}/people` as string}>{words.say('people')}</Link>
        </p>
      </Empty>
    );
  }
  if (!person) return <Loading />;
  const shown = (Object.keys(TABS) as TabName[]).filter((one) => {
    const { needs }: Tab = TABS[one];
    return needs.length === 0 || may(business, ...needs);
  });
  const tab = shown.find((one) => one === address.tab) ?? 'overview';
  const { Shown }: Tab = TABS[tab];
  return (
    <div className="person">
      <p className="small">
        <Link to={`/${business.id}/people` as string}>{words.say('people')}</Link>
      </p>
      <h1>{name}</h1>
      <p className="facts">
        {person.status ? <span className="tag">{person.status.name}</span> : null}
        {person.labels.map((label) => (
          <span key={label.id} className="tag">
            {label.name}
          </span>
        ))}
        {person.family_role ? <span className="tag">{words.say(`role.${person.family_role}`)}</span> : null}
        {person.email ? <a href={`mailto:${person.email}`}>{person.email}</a> : null}
        {person.sms_account ? (
          <a href={`tel:${person.sms_account.full_number}`}>{person.sms_account.full_number}</a>
        ) : null}
        <span className="soft">
          {words.say('since', { day: calendarDayOf(dateAt(person.created_at, business.timezone)) })}
        </span>
      </p>
      <Tabs label={words.say('tabs', { name })} tabs={shown} shown={tab} titleOf={(one) => words.say(`tab.${one}`)} />
      <section aria-labelledby="tab" key={`${id} ${tab}`}>
        <h2 id="tab" className={tab === 'overview' ? 'unseen' : undefined}>
          {words.say(`tab.${tab}`)}
        </h2>
        <Shown person={person} />
      </section>
    </div>
  );
}
