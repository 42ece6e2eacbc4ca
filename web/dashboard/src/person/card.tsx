/**
 * The card of a person, the same everywhere: whether they may come in and the next step, the membership and what is
 * left of it, visits, money, the pinned note, and what can be done.
 */
import './card.css';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { amountOf, calendarDayOf, dateAt, dayOf, momentOf, timeOf } from '../words/times.ts';
import { AnswerFlags } from './answer-flags.tsx';
import { Book } from './book.tsx';
import { clientOf } from '../app/client.ts';
import { Failed, Loading } from '../ui/states.tsx';
import { problemOf } from '../app/calls.ts';
import { initialsOf, leftOf, verdictOf, type Verdict } from './verdict.ts';
import { may, useBusiness } from '../app/business.ts';
import { MessageChosen } from './message.tsx';
import { nameOf } from '../app/customers.ts';
import { readAgain } from '../app/calls.ts';
import { toast } from '../ui/toasts.tsx';
import { useCard, type Card } from './read.ts';
import { useNow } from '../app/now.ts';
import { usePropose } from '../changes/change.tsx';
import { words } from './words.ts';

export interface PersonCardProps {
  readonly id: number;
  /** false: no actions, because the screen around it has its own */
  readonly acts?: boolean;
  /** replaces the name, where a heading already shows it */
  readonly headed?: boolean;
}

export function PersonCard({ id, ...props }: PersonCardProps) {
  const found = useCard(id);
  if (!found.data && problemOf(found.error)?.code === 'not_found') return <p>{words.say('person.none')}</p>;
  if (found.error && !found.data) return <Failed error={found.error} again={() => void found.refetch()} />;
  if (!found.data) return <Loading />;
  return <Shown card={found.data} {...props} />;
}

type Booking = NonNullable<Card['next_booking']>;

const eventOf = (booking: Booking | null) => booking?.event ?? null;

function Shown({ card, acts = true, headed = false }: Omit<PersonCardProps, 'id'> & { readonly card: Card }) {
  const { timezone } = useBusiness();
  const now = useNow();
  const name = nameOf(card);
  const { main_membership: membership, amount_owed: owed, credit_balance: credit, pinned_note: note } = card;
  const blocked = card.registration_block !== null;
  const [next, last] = [eventOf(card.next_booking), eventOf(card.last_visit)];
  const verdict = verdictOf({ blocked, membership, next, last }, { now, today: dateAt(now, timezone), dateAt });
  const left = leftOf(membership);
  const when = (event: NonNullable<typeof next>) =>
    `${dayOf(event.starts_at, event.timezone)}, ${timeOf(event.starts_at, event.timezone)}`;
  const isOpen = membership?.status === 'active' || membership?.status === 'hold';
  return (
    <article className="person-card" aria-label={words.say('of', { name })}>
      <div className="person-top">
        <span className="initials" aria-hidden="true">
          {initialsOf(name)}
        </span>
        <div>
          {headed ? null : <strong>{name}</strong>}
          {card.status ? <span className="tag">{card.status.name}</span> : null}
          {card.labels.map((label) => (
            <span key={label.id} className="tag">
              {label.name}
            </span>
          ))}
          {last === null ? <span className="tag good">{words.say('first_visit')}</span> : null}
          {card.email ? <a href={`mailto:${card.email}`}>{card.email}</a> : null}
          {card.sms_account ? (
            <a dir="ltr" href={`tel:${card.sms_account.full_number}`}>
              {card.sms_account.full_number}
            </a>
          ) : null}
        </div>
      </div>
      {card.check_in_flags.length > 0 ? (
        <p>
          <AnswerFlags flags={card.check_in_flags} />
        </p>
      ) : null}
      <Says verdict={verdict} card={card} />
      <dl>
        {line(
          'membership',
          membership ? (
            <>
              {membership.name}
              {isOpen && left ? ` · ${words.say('left', left)}` : ''}
              {isOpen && membership.expiration_date
                ? ` · ${words.say('until', { day: calendarDayOf(membership.expiration_date) })}`
                : ''}
            </>
          ) : (
            words.say('membership.none')
          ),
        )}
        {line('last', last ? `${last.name}, ${when(last)}` : words.say('last.none'))}
        {line('next', next ? `${next.name}, ${when(next)}` : words.say('next.none'))}
        {owed && owed.decimal > 0 ? line('owes', <span className="tag wrong">{amountOf(owed)}</span>) : null}
        {credit && credit.decimal > 0 ? line('credit', amountOf(credit)) : null}
      </dl>
      {note ? (
        <p className="person-note">
          <span className="unseen">{words.say('note')}: </span>
          {note.text}
        </p>
      ) : null}
      {card.flagged_issues.map((issue) => (
        <p key={issue.id} className="person-note">
          <span className="unseen">{words.say('issue')}: </span>
          {issue.name}
        </p>
      ))}
      {acts ? <Actions card={card} verdict={verdict} /> : null}
    </article>
  );
}

const line = (name: 'membership' | 'last' | 'next' | 'owes' | 'credit', shown: ReactNode) => (
  <>
    <dt>{words.say(name)}</dt>
    <dd>{shown}</dd>
  </>
);

/** Returns the next step for a blocked person: staff with the permission lift the block. */
const blockedNext = (business: Parameters<typeof may>[0], kind: Verdict['kind']): string =>
  kind === 'booked'
    ? words.say('trouble.blocked.booked')
    : words.say(may(business, 'customers') ? 'trouble.blocked' : 'trouble.blocked.ask');

/** The verdict in words: may they come in, and if not, why. */
function Says({ verdict: { kind, trouble }, card }: { readonly verdict: Verdict; readonly card: Card }) {
  const business = useBusiness();
  const event = eventOf(kind === 'here' ? card.last_visit : card.next_booking);
  const membership = card.main_membership;
  const until = membership?.active_hold?.end_date;
  const day = membership?.[trouble === 'not_started' ? 'start_date' : 'expiration_date'];
  const block = card.registration_block;
  const reason =
    trouble === null
      ? null
      : trouble === 'blocked'
        ? blockedNext(business, kind)
        : trouble === 'on_hold' && until
          ? words.say('trouble.on_hold.until', { name: membership.name, day: calendarDayOf(until) })
          : trouble === 'ended' && day
            ? words.say('trouble.ended.on', { name: membership!.name, day: calendarDayOf(day) })
            : words.say(`trouble.${trouble}`, { name: membership?.name ?? '', day: day ? calendarDayOf(day) : '' });
  const isFine = trouble === null;
  return (
    <div className={isFine ? 'person-verdict' : 'person-verdict wrong'} role="status">
      <p>
        <strong>
          {(kind === 'here' || kind === 'booked') && event
            ? words.say(`verdict.${kind}`, { name: event.name, time: timeOf(event.starts_at, event.timezone) })
            : kind === 'blocked'
              ? block?.ends_at
                ? words.say('verdict.blocked.until', { when: momentOf(block.ends_at, business.timezone) })
                : words.say('verdict.blocked')
              : words.say(kind === 'covered' ? 'verdict.covered' : 'verdict.uncovered')}
        </strong>
      </p>
      {reason ? <p>{reason}</p> : null}
      {block?.reason ? <p className="said">{block.reason}</p> : null}
    </div>
  );
}

function Actions({ card, verdict }: { readonly card: Card; readonly verdict: Verdict }) {
  const business = useBusiness();
  const [doing, setDoing] = useState<'book' | 'message' | null>(null);
  const propose = usePropose();
  const close = (): void => setDoing(null);
  const lift = (id: number) =>
    propose({
      title: words.say('lift'),
      call: () =>
        clientOf(business.id).call('PATCH /customer_registration_blocks/{id}', {
          params: { id },
          body: { is_active: false },
        }),
      done: words.say('lifted'),
    });
  const name = nameOf(card);
  const marks = may(business, 'attendances', 'instructor_attendances');
  const sells = may(business, 'pos');
  const { step } = verdict;
  const counter = `/${business.id}/counter?customer=${card.id}`;
  return (
    <>
      <div className="actions">
        {step === 'check_in' && marks && card.next_booking ? (
          <button type="button" onClick={() => void mark(business.id, card.next_booking!, 'attended')}>
            {words.say('check_in')}
          </button>
        ) : null}
        {step === 'take_back' && marks && card.last_visit ? (
          <button
            type="button"
            className="second"
            onClick={() => void mark(business.id, card.last_visit!, 'registered')}
          >
            {words.say('take_back')}
          </button>
        ) : null}
        {step === 'lift' && may(business, 'customers') && card.registration_block ? (
          <button type="button" onClick={() => void lift(card.registration_block!.id)}>
            {words.say('lift')}
          </button>
        ) : null}
        {step === 'resume' && may(business, 'customers') ? (
          <Link className="button" to={`/${business.id}/people/${card.id}?tab=purchases` as string}>
            {words.say('resume')}
          </Link>
        ) : null}
        {marks ? (
          <button type="button" className={step === 'book' ? undefined : 'second'} onClick={() => setDoing('book')}>
            {words.say('book.it')}
          </button>
        ) : null}
        {sells ? (
          <Link className={step === 'sell' || step === 'pay' ? 'button' : 'second'} to={counter as string}>
            {words.say(step === 'pay' || (card.amount_owed?.decimal ?? 0) > 0 ? 'pay' : 'sell')}
          </Link>
        ) : null}
        {may(business, 'super_admin') ? (
          <button type="button" className="second" onClick={() => setDoing('message')}>
            {words.say('message')}
          </button>
        ) : null}
      </div>
      {doing === 'book' ? <Book person={card} onClose={close} /> : null}
      {doing === 'message' ? <MessageChosen chosen={new Map([[card.id, name]])} onClose={close} /> : null}
    </>
  );
}

/** A tap marks the person, and another one takes it back. */
async function mark(business: number, { id }: Booking, status: 'attended' | 'registered'): Promise<void> {
  const sent = clientOf(business).call('PATCH /attendances/{id}', { params: { id }, body: { status }, fields: ['id'] });
  const result = await sent.result();
  if (!result.ok) toast({ text: result.problem.message, wrong: true });
  readAgain();
}
