/** The columns of the customer list besides the name. */
import type { ReactNode } from 'react';
import { amountOf, calendarDayOf, dateAt, dayOf, timeOf } from '../../words/times.ts';
import { leftOf } from '../../person/verdict.ts';
import { words as ofPerson } from '../../person/words.ts';
import type { Found, Sort } from './found.ts';

export interface Column {
  readonly name:
    | 'membership'
    | 'last'
    | 'next'
    | 'status'
    | 'labels'
    | 'phone'
    | 'born'
    | 'balance'
    | 'owed'
    | 'joined';
  readonly sort?: Sort & ('status' | 'created_at');
  readonly shown: (person: Found, zone: string) => ReactNode;
}

/** Returns the name of the membership and what is left of it; empty if none can be used. */
export function membershipOf({ main_membership: membership }: Found): string {
  if (membership === null || (membership.status !== 'active' && membership.status !== 'hold')) return '';
  const left = leftOf(membership);
  return left ? `${membership.name} · ${ofPerson.say('left', left)}` : membership.name;
}

export const COLUMNS: readonly Column[] = [
  { name: 'membership', shown: membershipOf },
  {
    name: 'last',
    shown: ({ last_visit }) => (last_visit?.event ? dayOf(last_visit.event.starts_at, last_visit.event.timezone) : ''),
  },
  {
    name: 'next',
    shown: ({ next_booking }) => {
      const event = next_booking?.event;
      return event ? `${dayOf(event.starts_at, event.timezone)}, ${timeOf(event.starts_at, event.timezone)}` : '';
    },
  },
  { name: 'status', sort: 'status', shown: ({ status }) => status?.name ?? '' },
  {
    name: 'labels',
    shown: ({ labels }) =>
      labels.map(({ id, name }) => (
        <span key={id} className="tag">
          {name}
        </span>
      )),
  },
  { name: 'phone', shown: ({ sms_account }) => sms_account?.full_number ?? '' },
  { name: 'born', shown: ({ date_of_birth }) => (date_of_birth ? calendarDayOf(date_of_birth) : '') },
  {
    name: 'balance',
    shown: ({ credit_balance }) => (credit_balance && credit_balance.decimal !== 0 ? amountOf(credit_balance) : ''),
  },
  {
    name: 'owed',
    shown: ({ amount_owed }) => (amount_owed && amount_owed.decimal > 0 ? amountOf(amount_owed) : ''),
  },
  {
    name: 'joined',
    sort: 'created_at',
    shown: ({ created_at }, zone) => calendarDayOf(dateAt(created_at, zone)),
  },
];

/** The default columns. */
export const USUAL: readonly Column['name'][] = ['membership', 'last', 'next', 'labels'];

/** Returns the columns that the address names; `-` means none. */
export function columnsOf(text: string | undefined): readonly Column[] {
  const names = text === undefined ? USUAL : text.split(',');
  return COLUMNS.filter(({ name }) => (names as readonly string[]).includes(name));
}
