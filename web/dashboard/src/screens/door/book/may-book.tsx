/** Shows whether a customer can be booked; if not, the reasons and the remedies that are available here. */
import { useState } from 'react';
import type { Call } from 'rollcall-sdk';
import { clientOf } from '../../../app/client.ts';
import { Field } from '../../../ui/field.tsx';
import { Failed, Loading } from '../../../ui/states.tsx';
import { may, useBusiness } from '../../../app/business.ts';
import { remediesOf } from './remedies.ts';
import { Sell } from './sell.tsx';
import { useCall } from '../../../app/calls.ts';
import { usePropose } from '../../../changes/change.tsx';
import { words } from '../words.ts';
import type { DoorEvent } from '../read.ts';
import type { Someone } from './book.tsx';

export interface MayBookProps {
  readonly event: DoorEvent;
  readonly someone: Someone;
  /** true for a customer who was just added: what they have to pay is sold at once */
  readonly isNew: boolean;
  /** called when the customer is booked or on the waitlist */
  readonly onDone: () => void;
  readonly onChanged: () => void;
}

export function MayBook({ event, someone, isNew, onDone, onChanged }: MayBookProps) {
  const business = useBusiness();
  const propose = usePropose();
  /** null: not decided yet */
  const [selling, setSelling] = useState<boolean | null>(null);
  const { id: customer, label: name } = someone;
  const params = { id: event.id };
  const hasOnline = event.online_max_occupancy !== null;
  const [chosen, setChosen] = useState(someone.place ?? 'venue');
  const where = hasOnline ? { place: chosen } : {};
  const explained = useCall('GET /events/{id}/explain', { params, query: { customer, ...where } });
  const again = (): void => void explained.refetch();
  const choice = hasOnline ? (
    <Field label={words.say('place')}>
      <select value={chosen} onChange={({ target }) => setChosen(target.value as typeof chosen)}>
        <option value="venue">{words.say('place.venue')}</option>
        <option value="online">{words.say('place.online')}</option>
      </select>
    </Field>
  ) : null;
  if (explained.error)
    return (
      <>
        {choice}
        <Failed error={explained.error} again={again} />
      </>
    );
  if (!explained.data)
    return (
      <>
        {choice}
        <Loading />
      </>
    );
  const { can_book, rules, waitlist_position } = explained.data;
  const remedies = remediesOf(explained.data);
  const call = clientOf(business.id);

  const change = async (title: string, make: () => Call<any, any, any, true>, done: string): Promise<boolean> =>
    (await propose({ title, call: make, done })).made;
  const book = async (comped: boolean): Promise<void> => {
    const title = words.say(comped ? 'comp.of' : remedies.owed === null ? 'book.of' : 'account.of', { name });
    const make = () => call.call('POST /events/{id}/register', { params, body: { customer, comped, ...where } });
    if (await change(title, make, words.say('booked.done', { name }))) onDone();
  };
  const join = async (): Promise<void> => {
    const made = await change(
      words.say('join.of', { name }),
      () => call.call('POST /events/{id}/join_waitlist', { params, body: { customer, ...where } }),
      words.say('join.done', { name }),
    );
    if (made) onDone();
  };
  const participate = async (): Promise<void> => {
    const made = await change(
      words.say('participate.of', { name }),
      () => call.call('PUT /customers/{id}/participation', { params: { id: customer }, body: { participating: true } }),
      words.say('participate.done', { name }),
    );
    if (made) again();
  };

  if (remedies.booked) return <p>{words.say('book.already', { name })}</p>;
  const sellsAtOnce = isNew && remedies.sell !== null && !remedies.waitlist && may(business, 'pos');
  if (selling ?? sellsAtOnce)
    return (
      <Sell
        {...{ event, someone, where }}
        dropIn={remedies.sell !== 'membership'}
        onCancel={() => setSelling(false)}
        onSold={(isBooked) => {
          if (isBooked) return onDone();
          setSelling(false);
          again();
          onChanged();
        }}
      />
    );
  return (
    <>
      {choice}
      {waitlist_position === null ? null : <p>{words.say('book.position', { n: waitlist_position })}</p>}
      {can_book ? (
        <p>
          {remedies.owed === null
            ? words.say('book.can', { name })
            : words.say('book.costs', { name, price: remedies.owed })}
        </p>
      ) : (
        <div className="notice wrong" role="alert">
          <p>
            <strong>{words.say('book.refused', { name })}</strong>
          </p>
          <ul className="effects">
            {rules
              .filter(({ passed }) => !passed)
              .map(({ code, message }) => (
                <li key={code}>{message}</li>
              ))}
          </ul>
        </div>
      )}
      <div className="actions">
        {can_book && remedies.owed === null ? (
          <button type="button" autoFocus onClick={() => void book(false)}>
            {words.say('book.confirm')}
          </button>
        ) : null}
        {remedies.sell && may(business, 'pos') ? (
          <button type="button" autoFocus={remedies.owed !== null} onClick={() => setSelling(true)}>
            {words.say(remedies.owed === null ? 'sell' : 'take')}
          </button>
        ) : null}
        {remedies.owed === null ? null : (
          <button type="button" className="second" onClick={() => void book(false)}>
            {words.say('account')}
          </button>
        )}
        {remedies.comped ? (
          <button type="button" className="second" onClick={() => void book(true)}>
            {words.say(remedies.owed === null ? 'comp' : 'free')}
          </button>
        ) : null}
        {remedies.waitlist ? (
          <button type="button" onClick={() => void join()}>
            {words.say('join')}
          </button>
        ) : null}
        {remedies.participate && may(business, 'customers') ? (
          <button type="button" onClick={() => void participate()}>
            {words.say('participate')}
          </button>
        ) : null}
      </div>
    </>
  );
}
