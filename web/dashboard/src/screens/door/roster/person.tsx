/** Details of one booking, its next dates, and its cancellation. */
import { useState } from 'react';
import { clientOf } from '../../../app/client.ts';
import { Dates, mayMove } from '../../../moves/dates.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Flags } from './flags.tsx';
import { Owed } from './owed.tsx';
import { useBusiness } from '../../../app/business.ts';
import { Move } from '../../../moves/move.tsx';
import { nameOf } from '../people.ts';
import { PersonCard } from '../../../person/card.tsx';
import { SignLink } from '../../../person/sign-link.tsx';
import { useOnline } from '../marks/use-marks.ts';
import { usePropose } from '../../../changes/change.tsx';
import { words } from '../words.ts';
import { words as moves } from '../../../moves/words.ts';
import type { DoorEvent, Person } from '../read.ts';

/** Dates to move to that are offered at once. */
const NEXT_DATES = 3;

export interface PersonDialogProps {
  readonly event: DoorEvent;
  readonly person: Person;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

export function PersonDialog({ event, person, onClose, onChanged }: PersonDialogProps) {
  const business = useBusiness();
  const propose = usePropose();
  const online = useOnline();
  const [moving, setMoving] = useState(false);
  const name = nameOf(person) || words.say('nobody');
  const customer = person.customer?.id;
  const cancel = async (is_late_cancel: boolean): Promise<void> => {
    const { made } = await propose({
      title: words.say(is_late_cancel ? 'late_cancel.of' : 'cancel.of', { name }),
      call: () =>
        clientOf(business.id).call('POST /events/{id}/unregister', {
          params: { id: event.id },
          body: { customer, is_late_cancel },
        }),
      done: words.say('cancelled.done', { name }),
      grave: true,
    });
    if (!made) return;
    onChanged();
    onClose();
  };
  const other = person.place === 'online' ? 'venue' : 'online';
  const switchPlace = async (): Promise<void> => {
    const { made } = await propose({
      title: words.say('switch.of', { name }),
      call: () =>
        clientOf(business.id).call('POST /attendances/{id}/switch_place', {
          params: { id: person.id },
          body: { place: other },
        }),
      done: words.say('switch.done', { name }),
    });
    if (!made) return;
    onChanged();
    onClose();
  };
  const booking = { id: person.id, who: name, event };
  const moved = (): void => {
    onChanged();
    onClose();
  };
  return (
    <Dialog title={name} onClose={onClose} side>
      <p>
        <span className="tag">{words.say(`status.${person.status}`)}</span>
      </p>
      {/* Without a connection, the roster knows how they pay. */}
      {online && customer !== undefined ? <PersonCard id={customer} acts={false} headed /> : <Flags person={person} />}
      {online && customer !== undefined && person.requirements.some(({ kind }) => kind === 'waiver') ? (
        <SignLink customer={customer} />
      ) : null}
      <Owed {...{ event, person, onChanged }} />
      {person.status === 'registered' && online && mayMove(business, event) ? (
        <>
          <h3>{moves.say('to')}</h3>
          <Dates booking={booking} limit={NEXT_DATES} onMoved={moved} />
          <p>
            <button type="button" className="second" onClick={() => setMoving(true)}>
              {moves.say('more')}
            </button>
          </p>
          {moving ? <Move booking={booking} onClose={() => setMoving(false)} onMoved={moved} /> : null}
        </>
      ) : null}
      {person.status === 'registered' ? (
        <div className="actions">
          {event.online_max_occupancy === null ? null : (
            <button type="button" className="second" disabled={!online} onClick={() => void switchPlace()}>
              {words.say(`switch.${other}`)}
            </button>
          )}
          <button type="button" className="second" disabled={!online} onClick={() => void cancel(false)}>
            {words.say('cancel')}
          </button>
          <button type="button" className="second" disabled={!online} onClick={() => void cancel(true)}>
            {words.say('late_cancel')}
          </button>
        </div>
      ) : (
        <p className="soft">{words.say('cancel.marked')}</p>
      )}
    </Dialog>
  );
}
