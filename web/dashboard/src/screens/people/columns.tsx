/** The columns of the customer list besides the name. */
import type { ReactNode } from 'react';
import { amountOf, calendarDayOf, dateAt } from '../../words/times.ts';
import type { Found, Sort } from './found.ts';

export interface Column {
  readonly name: 'status' | 'labels' | 'phone' | 'born' | 'balance' | 'joined';
  readonly sort?: Sort & ('status' | 'created_at');
  readonly shown: (person: Found, zone: string) => ReactNode;
}

export const COLUMNS: readonly Column[] = [
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
    name: 'joined',
    sort: 'created_at',
    shown: ({ created_at }, zone) => calendarDayOf(dateAt(created_at, zone)),
  },
];

/** The default columns. */
export const USUAL: readonly Column['name'][] = ['status', 'labels', 'joined'];

/** Returns the columns that the address names; `-` means none. */
export function columnsOf(text: string | undefined): readonly Column[] {
  const names = text === undefined ? USUAL : text.split(',');
  return COLUMNS.filter(({ name }) => (names as readonly string[]).includes(name));
}
