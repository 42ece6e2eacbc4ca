/** Moves a booking to another date of its class, or to another class. */
import { useState } from 'react';
import { Dates, type Booking } from './dates.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { words } from './words.ts';

const MAX_DATES = 30;

export interface MoveProps {
  readonly booking: Booking;
  readonly onClose: () => void;
  readonly onMoved?: () => void;
}

export function Move({ booking, onClose, onMoved }: MoveProps) {
  const [which, setWhich] = useState<'same' | 'all'>('same');
  return (
    <Dialog title={words.say('title', { who: booking.who })} onClose={onClose}>
      <Field label={words.say('which')}>
        <select value={which} onChange={({ target }) => setWhich(target.value as typeof which)}>
          <option value="same">{booking.event.name}</option>
          <option value="all">{words.say('which.all')}</option>
        </select>
      </Field>
      <Dates
        key={which}
        booking={booking}
        limit={MAX_DATES}
        ofSameClass={which === 'same'}
        onMoved={() => {
          onMoved?.();
          onClose();
        }}
      />
    </Dialog>
  );
}
