/** Books an event for the customer: first a day, then one of its events. */
import { useState } from 'react';
import { clientOf } from '../app/client.ts';
import { dateAt, timesOf } from '../words/times.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Failed, Loading } from '../ui/states.tsx';
import { Field } from '../ui/field.tsx';
import { nameOf } from '../app/customers.ts';
import { None } from '../ui/listed.tsx';
import { useBusiness } from '../app/business.ts';
import { useDayEvents } from '../app/day-events.ts';
import { usePropose } from '../changes/change.tsx';
import { words } from './words.ts';

export interface BookProps {
  readonly person: { readonly id: number; readonly first_name: string | null; readonly last_name: string | null };
  readonly onClose: () => void;
}

export function Book({ person, onClose }: BookProps) {
  const { id: business, timezone } = useBusiness();
  const propose = usePropose();
  const [date, setDate] = useState(() => dateAt(Date.now(), timezone));
  const events = useDayEvents(date);
  const open = (events.data?.results ?? []).filter(
    ({ status, ends_at }) => status === 'active' && Date.parse(ends_at) > Date.now(),
  );
  const book = async (event: number, name: string, waits: boolean): Promise<void> => {
    const asked = { params: { id: event }, body: { customer: person.id } };
    const client = clientOf(business);
    const outcome = waits
      ? await propose({
          title: words.say('book.wait.title', { name }),
          confirm: words.say('book.wait'),
          call: () => client.call('POST /events/{id}/join_waitlist', asked),
          done: words.say('book.waits', { name }),
        })
      : await propose({
          title: words.say('book.title', { name }),
          confirm: words.say('book.it'),
          call: () => client.call('POST /events/{id}/register', asked),
          done: words.say('book.done', { name }),
        });
    if (outcome.made) onClose();
  };
  return (
    <Dialog title={words.say('book.for', { name: nameOf(person) })} onClose={onClose}>
      <Field label={words.say('book.day')}>
        <input type="date" value={date} onChange={(event) => setDate(event.target.value)} />
      </Field>
      {events.error ? <Failed error={events.error} again={() => void events.refetch()} /> : null}
      {events.isPending ? <Loading /> : null}
      {events.data && open.length === 0 ? <None text={words.say('book.none')} /> : null}
      <ul className="plain-list">
        {open.map(({ id, name, starts_at, ends_at, timezone: zone, is_full }) => (
          <li key={id}>
            {timesOf(starts_at, ends_at, zone)} <strong>{name}</strong>{' '}
            <button
              type="button"
              className="second"
              aria-label={words.say(is_full ? 'book.wait.title' : 'book.title', { name })}
              onClick={() => void book(id, name, is_full)}
            >
              {words.say(is_full ? 'book.wait' : 'book.it')}
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
