/** One customer: their record, bookings, purchases, messages and history. */
import './person.css';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, type ComponentType } from 'react';
import { Account } from './account.tsx';
import { Agreements } from './agreements.tsx';
import { Answers } from './answers.tsx';
import { Bookings } from './bookings.tsx';
import { calendarDayOf, dateAt } from '../../../words/times.ts';
import { Loading, Missing } from '../../../ui/states.tsx';
import { Family } from './family.tsx';
import { labelsFrom, History as HistoryOf } from '../../../ui/history/index.tsx';
import { Issues } from './issues.tsx';
import { may, useBusiness } from '../../../app/business.ts';
import { Memberships } from './memberships.tsx';
import { Messages } from './messages.tsx';
import { nameOf } from '../../../app/customers.ts';
import { Notes } from './notes.tsx';
import { Overview } from './overview.tsx';
import { PersonalData } from './personal-data.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { Tasks } from './tasks.tsx';
import { useAddress } from '../../../app/address.ts';
import { usePerson, type TabProps } from './person.ts';
import { useParam } from '../../../app/address.ts';
import { DetailsPage } from '../../../ui/page.tsx';
import { words } from './words.ts';
import { words as ofCalendars } from '../../../calendars/words.ts';
import { words as ofNotices } from '../../../notices/words.ts';
import { words as ofPerson } from '../../../person/words.ts';
import { words as ofMemberships } from '../../../memberships/words.ts';

export const ready = Promise.all([
  words.ready,
  ofPerson.ready,
  ofMemberships.ready,
  ofCalendars.ready,
  ofNotices.ready,
]).then(() => {});

const LABELS = labelsFrom(words, {
  first_name: 'field.first_name',
  last_name: 'field.last_name',
  date_of_birth: 'field.date_of_birth',
  email: 'detail.email',
  venue: 'detail.venue',
  status: 'status',
  is_status_locked: 'field.is_status_locked',
  is_opted_into_broadcast_messages: 'is_opted_into_broadcast_messages',
  is_opted_into_sms_marketing: 'is_opted_into_sms_marketing',
});

const History = ({ person }: TabProps) => <HistoryOf object="customer" id={person.id} labels={LABELS} />;

/** Loaded with its tab. */
const Preferences = lazy(async () => ({ default: (await import('./preferences.tsx')).Preferences }));

interface Part {
  /** any of these permissions; empty: everybody who sees customers */
  readonly needs: readonly string[];
  readonly Shown: ComponentType<TabProps>;
}

const PARTS = {
  details: { needs: [], Shown: Overview },
  answers: { needs: ['customers'], Shown: Answers },
  agreements: { needs: ['customers', 'attendances', 'pos'], Shown: Agreements },
  notes: { needs: ['customers'], Shown: Notes },
  tasks: { needs: ['customers'], Shown: Tasks },
  issues: { needs: ['customers'], Shown: Issues },
  bookings: { needs: [], Shown: Bookings },
  memberships: { needs: [], Shown: Memberships },
  account: { needs: ['customers', 'customer_payments', 'revenue', 'pos', 'store'], Shown: Account },
  messages: { needs: ['customers'], Shown: Messages },
  preferences: { needs: ['customers'], Shown: Preferences },
  family: { needs: [], Shown: Family },
  data: { needs: ['super_admin'], Shown: PersonalData },
  history: { needs: ['super_admin'], Shown: History },
} as const satisfies Readonly<Record<string, Part>>;

type PartName = keyof typeof PARTS;

/** The tabs with their parts. An address can name either. */
const TABS = {
  overview: ['details', 'answers', 'agreements', 'notes', 'tasks', 'issues'],
  bookings: ['bookings'],
  purchases: ['memberships', 'account'],
  contact: ['messages', 'preferences'],
  record: ['family', 'data', 'history'],
} as const satisfies Readonly<Record<string, readonly PartName[]>>;

type TabName = keyof typeof TABS;

/** Parts that need no heading, because the tab or their own headings name them. */
const UNNAMED: ReadonlySet<PartName> = new Set(['details', 'bookings']);

export function Screen() {
  const business = useBusiness();
  const id = Number(useParam('customer'));
  const [address] = useAddress();
  const found = usePerson(id);
  const person = found.data?.person;
  if (found.error && !person)
    return (
      <Missing error={found.error} again={() => void found.refetch()} title={words.say('not_here')}>
        {words.say('not_here.next')}
        <br />
        <Link to={`/${business.id}/people` as string}>{words.say('people')}</Link>
      </Missing>
    );
  if (!person) return <Loading />;
  const name = nameOf(person);
  const partsOf = (tab: TabName): readonly PartName[] =>
    TABS[tab].filter((part: PartName) => {
      const { needs }: Part = PARTS[part];
      return needs.length === 0 || may(business, ...needs);
    });
  const shown = (Object.keys(TABS) as TabName[]).filter((one) => partsOf(one).length > 0);
  const tab =
    shown.find((one) => one === address.tab || (TABS[one] as readonly string[]).includes(address.tab ?? '')) ??
    'overview';
  return (
    <DetailsPage
      className="person"
      back={{ to: 'people', label: words.say('people') }}
      title={name}
      about={
        <p className="facts">
          {person.family_role ? <span className="tag">{words.say(`role.${person.family_role}`)}</span> : null}
          <span className="soft">
            {words.say('since', { day: calendarDayOf(dateAt(person.created_at, business.timezone)) })}
          </span>
        </p>
      }
    >
      <Tabs label={words.say('tabs', { name })} tabs={shown} shown={tab} titleOf={(one) => words.say(`tab.${one}`)} />
      {partsOf(tab).map((part) => {
        const { Shown }: Part = PARTS[part];
        return (
          <section key={`${id} ${part}`} aria-labelledby={`part-${part}`}>
            <h2 id={`part-${part}`} className={UNNAMED.has(part) ? 'unseen' : undefined}>
              {words.say(`tab.${part === 'details' ? 'overview' : part}`)}
            </h2>
            <Suspense fallback={<Loading />}>
              <Shown person={person} />
            </Suspense>
          </section>
        );
      })}
    </DetailsPage>
  );
}
