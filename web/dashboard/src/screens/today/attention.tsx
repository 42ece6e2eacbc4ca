/** Tasks that need attention today, each with an action. Only data that the person may see is requested. */
import { waitingInVain } from '../../app/both-places.ts';
import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import type { ComponentType, ReactNode } from 'react';
import { amountOf, dateAt, dayOf, timeOf } from '../../words/times.ts';
import { clientOf } from '../../app/client.ts';
import { daysAfter } from '../../app/days.ts';
import { Failed, Loading } from '../../ui/states.tsx';
import { None } from '../../ui/listed.tsx';
import { may, useBusiness, type Business } from '../../app/business.ts';
import { useCall } from '../../app/calls.ts';
import { AHEAD, seesEvents, useEvents, useUntaught, useWaiting } from './events.ts';
import { useWanted } from '../../substitutes/all.ts';
import { usePropose } from '../../changes/change.tsx';
import { words } from './words.ts';
import { words as ofSubstitutes } from '../../substitutes/words.ts';

const SHOWN = 5;
/** Maximum number of entries to request: more than anybody reads, so that all urgent entries are shown. */
const MANY = 50;

export interface AttentionProps {
  readonly venue: number | null;
  /** `2026-11-23` */
  readonly date: string;
}

const KINDS: readonly {
  readonly kind: string;
  readonly sees: (business: Business) => boolean;
  readonly Shown: ComponentType<AttentionProps>;
}[] = [
  { kind: 'planned', sees: seesEvents, Shown: Planned },
  { kind: 'untaught', sees: seesEvents, Shown: Untaught },
  { kind: 'waiting', sees: seesEvents, Shown: Waiting },
  { kind: 'substitutes', sees: (business) => may(business, 'manage_events'), Shown: Substitutes },
  { kind: 'failed', sees: (business) => may(business, 'pos', 'store'), Shown: FailedPayments },
  { kind: 'owed', sees: (business) => may(business, 'pos', 'store'), Shown: Owed },
  { kind: 'disputes', sees: (business) => may(business, 'pos', 'customer_payments'), Shown: Disputes },
  { kind: 'at_risk', sees: (business) => may(business, 'customer_payments', 'revenue'), Shown: AtRisk },
  { kind: 'tasks', sees: (business) => may(business, 'customers'), Shown: Tasks },
];

/** Returns the kinds of entries that the person may see. */
export const kindsFor = (business: Business) => KINDS.filter(({ sees }) => sees(business));

export function Attention(props: AttentionProps) {
  return (
    <section className="attention" aria-labelledby="attention">
      <h2 id="attention">{words.say('attention')}</h2>
      {kindsFor(useBusiness()).map(({ kind, Shown }) => (
        <Shown key={kind} {...props} />
      ))}
    </section>
  );
}

function Group({
  title,
  more,
  children,
}: {
  readonly title: string;
  readonly more?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <div className="card">
      <h3>{title}</h3>
      <ul className="plain-list">{children}</ul>
      {more}
    </div>
  );
}

/** Events without an instructor, and events with both a waitlist and a free place. */
function Planned({ venue, date }: AttentionProps) {
  const { id: business } = useBusiness();
  const events = useEvents(date, venue);
  if (!events.data) return null;
  const open = events.data.results.filter(
    ({ status, ends_at }) => status === 'active' && Date.parse(ends_at) > Date.now(),
  );
  const untaught = open.filter(
    ({ instructors, schedule_type }) => instructors.length === 0 && schedule_type !== 'room_rental',
  );
  const free = open.filter((event) => waitingInVain(event) > 0);
  if (untaught.length + free.length === 0) return <None text={words.say('planned.fine')} />;
  return (
    <Group title={words.say('planned')}>
      {untaught.map(({ id, name, starts_at, timezone }) => (
        <li key={id}>
          {words.say('untaught', { name, time: timeOf(starts_at, timezone) })}{' '}
          <Link to={`/${business}/calendar?event=${id}` as string}>{words.say('untaught.next')}</Link>
        </li>
      ))}
      {free.map((event) => (
        <li key={event.id}>
          {words.say('free', {
            name: event.name,
            time: timeOf(event.starts_at, event.timezone),
            n: waitingInVain(event),
          })}{' '}
          <Link to={`/${business}/door/${event.id}` as string}>{words.say('roster')}</Link>
        </li>
      ))}
    </Group>
  );
}

/** Events of the coming days without an instructor: there is still time to find somebody. */
function Untaught({ venue, date }: AttentionProps) {
  const { id: business } = useBusiness();
  const found = useUntaught(date, venue);
  if (found.error) return <Failed error={found.error} again={() => void found.refetch()} />;
  if (!found.data) return null;
  const { count } = found.data;
  if (count === 0) return <p className="soft">{words.say('ahead.fine', { days: AHEAD })}</p>;
  const address = new URLSearchParams({
    view: 'list',
    instructor: 'none',
    date: daysAfter(date, 1),
    ...(venue !== null && { venue: String(venue) }),
  });
  return (
    <p>
      {words.say('ahead', { n: count, days: AHEAD })}{' '}
      <Link to={`/${business}/calendar?${address}` as string}>{words.say('ahead.next')}</Link>
    </p>
  );
}

/** Substitute requests of all dates, because it takes time to find somebody. */
function Substitutes({ venue }: AttentionProps) {
  const { id: business } = useBusiness();
  const wanted = useWanted(MANY);
  if (wanted.error) return <Failed error={wanted.error} again={() => void wanted.refetch()} />;
  if (!wanted.data) return null;
  const { count, results } = wanted.data;
  const shown = results.flatMap(({ event, ...one }) =>
    event && (venue === null || event.venue === venue) ? [{ event, ...one }] : [],
  );
  if (shown.length === 0) return null;
  return (
    <Group
      title={ofSubstitutes.say('all', { n: shown.length })}
      more={
        count > results.length ? <p className="soft small">{words.say('more', { n: count - results.length })}</p> : null
      }
    >
      {shown.map(({ id, instructor, offers, event }) => {
        const day = dayOf(event.starts_at, event.timezone);
        return (
          <li key={id}>
            {event.name}, {day}, {timeOf(event.starts_at, event.timezone)} · {instructor?.name}{' '}
            {offers.length > 0 ? (
              <span className="soft small">{ofSubstitutes.say('all.offers', { n: offers.length })}</span>
            ) : null}{' '}
            <Link
              to={`/${business}/calendar?event=${event.id}&date=${dateAt(event.starts_at, event.timezone)}` as string}
              aria-label={ofSubstitutes.say('of', { action: ofSubstitutes.say('all.find'), name: event.name, day })}
            >
              {ofSubstitutes.say('all.find')}
            </Link>
          </li>
        );
      })}
    </Group>
  );
}

/** Events of the coming days with both a waitlist and a free place. */
function Waiting({ venue, date }: AttentionProps) {
  const { id: business } = useBusiness();
  const found = useWaiting(date, venue);
  if (found.error) return <Failed error={found.error} again={() => void found.refetch()} />;
  const free = found.data?.results.filter((event) => waitingInVain(event) > 0) ?? [];
  if (free.length === 0) return null;
  return (
    <Group title={words.say('free.ahead', { n: free.length })} more={<More n={free.length - SHOWN} />}>
      {free.slice(0, SHOWN).map((event) => (
        <li key={event.id}>
          {event.name}, {dayOf(event.starts_at, event.timezone)}, {timeOf(event.starts_at, event.timezone)} ·{' '}
          {words.say('waiting', { n: waitingInVain(event) })}{' '}
          <Link
            to={`/${business}/door/${event.id}` as string}
            aria-label={words.say('roster.of', { name: event.name })}
          >
            {words.say('roster')}
          </Link>
        </li>
      ))}
    </Group>
  );
}

/** How many entries are not shown, with a link to all of them if there is one. */
function More({ n, to, children }: { readonly n: number; readonly to?: string; readonly children?: ReactNode }) {
  if (n <= 0 && to === undefined) return null;
  return (
    <p className="soft small">
      {n > 0 ? words.say('more', { n }) : null} {to === undefined ? null : <Link to={to as string}>{children}</Link>}
    </p>
  );
}

const FAILED = ['failed', 'retrying', 'retry_failed'] as const;
const DUE = ['open', 'pending_offline'] as const;

interface InvoicesProps extends Pick<AttentionProps, 'date'> {
  readonly status: readonly ((typeof FAILED)[number] | (typeof DUE)[number])[];
  /** the filter of the screen with all of them */
  readonly all: 'failed' | 'unpaid';
  readonly title: 'failed' | 'owed';
  readonly none: 'failed.none' | 'owed.none';
}

function FailedPayments({ date }: AttentionProps) {
  return <Invoices date={date} status={FAILED} all="failed" title="failed" none="failed.none" />;
}

function Owed({ date }: AttentionProps) {
  return <Invoices date={date} status={DUE} all="unpaid" title="owed" none="owed.none" />;
}

function Invoices({ date, status, all, title, none }: InvoicesProps) {
  const business = useBusiness();
  const found = useCall('GET /invoices', {
    query: {
      status: [...status],
      due_date_lte: date,
      is_credit_note: false,
      sort: ['due_date'],
      page_size: SHOWN,
    },
    fields: ['id', 'number', 'due_date', 'outstanding_amount', 'payer.id', 'payer.name'],
  });
  if (found.error) return <Failed error={found.error} again={() => void found.refetch()} />;
  if (!found.data) return <Loading />;
  const { count, results } = found.data;
  if (count === 0) return <p className="soft">{words.say(none)}</p>;
  return (
    <Group
      title={words.say(title, { n: count })}
      more={
        <More n={count - SHOWN} to={`/${business.id}/sales?tab=invoices&status=${all}`}>
          {words.say(`${title}.next`)}
        </More>
      }
    >
      {results.map(({ id, number, due_date, outstanding_amount, payer }) => (
        <li key={id}>
          {payer ? <Link to={`/${business.id}/people/${payer.id}?tab=account` as string}>{payer.name}</Link> : number}{' '}
          {outstanding_amount ? amountOf(outstanding_amount) : null}{' '}
          <span className="soft small">{words.say('due', { day: dayOf(`${due_date}T12:00:00Z`, 'UTC') })}</span>
        </li>
      ))}
    </Group>
  );
}

/** Members who may be about to leave. Their report reads much, so it isn't read again at each change. */
function AtRisk({ date }: AttentionProps) {
  const { id: business } = useBusiness();
  const found = useQuery({
    queryKey: [null, 'members at risk', business, date],
    queryFn: async () => {
      const query = { columns: ['customer.id'], limit: 1 } as const;
      return (await clientOf(business).call('GET /reports/members_at_risk/data', { query })).total;
    },
  });
  if (found.error) return <Failed error={found.error} again={() => void found.refetch()} />;
  if (found.data === undefined) return null;
  if (found.data === 0) return <p className="soft">{words.say('at_risk', { n: 0 })}</p>;
  return (
    <p>
      {words.say('at_risk', { n: found.data })}{' '}
      <Link to={`/${business}/reports/members_at_risk?view=rows` as string}>{words.say('at_risk.next')}</Link>
    </p>
  );
}

function Disputes() {
  const disputes = useCall('GET /payment_disputes', {
    query: { status: ['open'], page_size: SHOWN },
    fields: ['id', 'amount', 'answer_by', 'reason'],
  });
  if (!disputes.data || disputes.data.count === 0) return null;
  return (
    <Group title={words.say('disputes', { n: disputes.data.count })}>
      {disputes.data.results.map(({ id, amount, answer_by, reason }) => (
        <li key={id}>
          {amount ? amountOf(amount) : null} {reason}{' '}
          <span className="soft small">
            {answer_by ? words.say('disputes.by', { day: dayOf(`${answer_by}T12:00:00Z`, 'UTC') }) : null}
          </span>
        </li>
      ))}
    </Group>
  );
}

function Tasks({ date }: Pick<AttentionProps, 'date'>) {
  const business = useBusiness();
  const propose = usePropose();
  const tasks = useCall('GET /customer_tasks', {
    query: { done: false, due_before: daysAfter(date, 1), sort: ['due_date'], page_size: SHOWN },
    fields: ['id', 'title', 'due_date', 'customer.id', 'customer.first_name', 'customer.last_name'],
  });
  if (tasks.error) return <Failed error={tasks.error} again={() => void tasks.refetch()} />;
  if (!tasks.data) return <Loading />;
  const { count, results } = tasks.data;
  if (count === 0) return <p className="soft">{words.say('tasks.none')}</p>;
  const complete = (id: number, title: string): void =>
    void propose({
      title: words.say('tasks.complete', { title }),
      confirm: words.say('tasks.done'),
      call: () => clientOf(business.id).call('POST /customer_tasks/{id}/complete', { params: { id } }),
      done: words.say('tasks.completed', { title }),
      undo: () => void clientOf(business.id).call('POST /customer_tasks/{id}/reopen', { params: { id } }).answer(),
    });
  return (
    <Group
      title={words.say('tasks', { n: count })}
      more={count > SHOWN ? <p className="soft small">{words.say('more', { n: count - SHOWN })}</p> : null}
    >
      {results.map(({ id, title, due_date, customer }) => (
        <li key={id}>
          {title}{' '}
          {customer ? (
            <Link to={`/${business.id}/people/${customer.id}?tab=tasks` as string}>
              {customer.first_name} {customer.last_name}
            </Link>
          ) : null}{' '}
          <span className="soft small">
            {due_date ? words.say('due', { day: dayOf(`${due_date}T12:00:00Z`, 'UTC') }) : null}
          </span>{' '}
          <button type="button" className="plain" onClick={() => complete(id, title)}>
            {words.say('tasks.done')}
          </button>
        </li>
      ))}
    </Group>
  );
}
