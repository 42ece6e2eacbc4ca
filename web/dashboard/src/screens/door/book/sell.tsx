/** Sells access to a class: this one class, or a membership for it. Paid at the desk, in one step. */
import { useState } from 'react';
import { Field } from '../../../ui/field.tsx';
import { PayAtDesk } from '../../../money/pay-at-desk.tsx';
import { useSoldMemberships } from '../../../memberships/sold.ts';
import { words } from '../words.ts';
import type { DoorEvent } from '../read.ts';
import type { Someone } from './book.tsx';

export interface SellProps {
  readonly event: DoorEvent;
  readonly someone: Someone;
  /** the kind of place, if the event has two */
  readonly where: { readonly place?: 'venue' | 'online' };
  /** false if no place is free, so that only a membership can be sold */
  readonly dropIn: boolean;
  /** `isBooked`: true if the sale also booked the class */
  readonly onSold: (isBooked: boolean) => void;
  readonly onCancel: () => void;
}

const DROP_IN = '';

export function Sell({ event, someone, where, dropIn, onSold, onCancel }: SellProps) {
  const [wanted, setWanted] = useState(DROP_IN);
  const { sold } = useSoldMemberships({ permits_registration_for_event: event.id, page_size: 50 });
  const membership = sold.find(({ key }) => key === wanted) ?? (dropIn ? undefined : sold[0]);
  return (
    <PayAtDesk
      customer={someone.id}
      items={[membership ? membership.item : { event: event.id, ...where }]}
      venue={event.venue?.id ?? null}
      enabled={dropIn || membership !== undefined}
      title={words.say('sell.of', { name: someone.label })}
      confirm={words.say('sell.confirm')}
      done={words.say('sell.done')}
      onSold={() => onSold(membership === undefined)}
      onCancel={onCancel}
    >
      <Field label={words.say('sell.what')}>
        <select value={membership?.key ?? DROP_IN} onChange={({ target }) => setWanted(target.value)}>
          {dropIn ? <option value={DROP_IN}>{words.say('sell.drop_in')}</option> : null}
          {sold.map(({ key, name, price }) => (
            <option key={key} value={key}>
              {price ? `${name} – ${price}` : name}
            </option>
          ))}
        </select>
      </Field>
    </PayAtDesk>
  );
}
