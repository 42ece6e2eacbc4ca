/** One free time: place and instructor, why it is offered, and booking it or moving an appointment to it. */
import { useState } from 'react';
import { amountOf } from '../../words/times.ts';
import { BookSlot } from './book.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { mayBook, type Offered } from './offered.ts';
import { MoveHere } from './moving.tsx';
import { useBusiness } from '../../app/business.ts';
import { useCall } from '../../app/calls.ts';
import { timeOfSlot, whomOf } from './labels.ts';
import { words } from './words.ts';
import type { Slot } from './slots.ts';

export interface SlotShownProps {
  readonly slot: Slot;
  readonly offering: Offered;
  /** id of the event to move; null for a new booking */
  readonly move: number | null;
  readonly onClose: () => void;
}

export function SlotShown({ slot, offering, move, onClose }: SlotShownProps) {
  const business = useBusiness();
  return (
    <Dialog title={words.say('slot.of', { name: offering.name })} onClose={onClose}>
      <p>
        <strong>{timeOfSlot(slot)}</strong>
        <br />
        {[
          whomOf(slot),
          slot.venue?.name,
          slot.instructors.length > 0 ? slot.venue_room?.name : null,
          slot.timezone === business.timezone ? null : words.say('zone', { zone: slot.timezone }),
        ]
          .filter(Boolean)
          .join(' · ')}
        {slot.price ? (
          <>
            <br />
            {words.say('price', { amount: amountOf(slot.price) })}
          </>
        ) : null}
      </p>
      {!mayBook(business) ? null : move === null ? (
        <BookSlot slot={slot} offering={offering} onDone={onClose} />
      ) : (
        <MoveHere slot={slot} event={move} onDone={onClose} />
      )}
      <Explained slot={slot.id} />
    </Dialog>
  );
}

/** Shows every rule with its verdict, including that somebody else has taken the time meanwhile. */
function Explained({ slot }: { readonly slot: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className="why-not" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{words.say('explain')}</summary>
      {isOpen ? <Verdicts slot={slot} /> : null}
    </details>
  );
}

function Verdicts({ slot }: { readonly slot: string }) {
  const { data, error, refetch } = useCall('GET /slots/{id}/explain', { params: { id: slot } });
  if (error) return <Failed error={error} again={() => void refetch()} />;
  if (!data) return <Loading />;
  return (
    <ul className="plain-list">
      {data.rules.map(({ code, passed, message }) => (
        <li key={code}>
          <span className={passed ? 'tag good' : 'tag wrong'}>{words.say(passed ? 'passed' : 'failed')}</span> {message}
        </li>
      ))}
    </ul>
  );
}
