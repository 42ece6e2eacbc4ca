/** Sells what lets somebody in: this one class, or a membership for it. Paid at the desk, in one step. */
import { useState } from 'react';
import { amountOf } from '../../../words/times.ts';
import { Field } from '../../../ui/field.tsx';
import { PayAtDesk } from '../../../money/pay-at-desk.tsx';
import { useCall } from '../../../app/calls.ts';
import { words } from '../words.ts';
import type { DoorEvent } from '../read.ts';
import type { Someone } from './book.tsx';

export interface SellProps {
  readonly event: DoorEvent;
  readonly someone: Someone;
  /** false: no place is free, so only a membership can be sold */
  readonly dropIn: boolean;
  /** whether the sale has booked the class too */
  readonly onSold: (isBooked: boolean) => void;
  readonly onCancel: () => void;
}

const DROP_IN = '';

export function Sell({ event, someone, dropIn, onSold, onCancel }: SellProps) {
  const [wanted, setWanted] = useState(DROP_IN);
  const memberships = useCall('GET /memberships', {
    query: {
      permits_registration_for_event: event.id,
      // Recurring plans are paid by a method on file, which the page of the customer asks for.
      type: ['pack', 'prepaid_plan'],
      for_sale: true,
      archived: false,
      is_draft: false,
      sort: ['order'],
      page_size: 50,
    },
    fields: ['id', 'name', 'price'],
  });
  const first = dropIn ? DROP_IN : String(memberships.data?.results[0]?.id ?? DROP_IN);
  const membership = wanted === DROP_IN ? first : wanted;
  return (
    <PayAtDesk
      customer={someone.id}
      items={[membership === DROP_IN ? { event: event.id } : { membership: Number(membership) }]}
      venue={event.venue?.id ?? null}
      enabled={dropIn || membership !== DROP_IN}
      title={words.say('sell.of', { name: someone.label })}
      confirm={words.say('sell.confirm')}
      done={words.say('sell.done')}
      onSold={() => onSold(membership === DROP_IN)}
      onCancel={onCancel}
    >
      <Field label={words.say('sell.what')}>
        <select value={membership} onChange={({ target }) => setWanted(target.value)}>
          {dropIn ? <option value={DROP_IN}>{words.say('sell.drop_in')}</option> : null}
          {(memberships.data?.results ?? []).map(({ id, name, price }) => (
            <option key={id} value={id}>
              {price ? `${name} – ${amountOf(price)}` : name}
            </option>
          ))}
        </select>
      </Field>
    </PayAtDesk>
  );
}
