/** An appointment that is being moved: its details, and the new time that was chosen. */
import { clientOf } from '../../app/client.ts';
import { Failed } from '../../ui/states.tsx';
import { momentOf } from '../../words/times.ts';
import { timeOfSlot } from './labels.ts';
import { useAddress } from '../../app/address.ts';
import { useBusiness } from '../../app/business.ts';
import { readAgain, useCall } from '../../app/calls.ts';
import { usePropose } from '../../changes/change.tsx';
import { words } from './words.ts';
import type { Slot } from './slots.ts';

export function Moving({ event }: { readonly event: number }) {
  const [, change] = useAddress();
  const { data, error } = useCall('GET /events/{id}', {
    params: { id: event },
    fields: ['id', 'name', 'starts_at', 'timezone'],
  });
  return (
    <div className="notice">
      {error ? <Failed error={error} /> : null}
      {data ? <p>{words.say('moving', { name: data.name, when: momentOf(data.starts_at, data.timezone) })}</p> : null}
      <button type="button" className="second" onClick={() => change({ move: undefined })}>
        {words.say('moving.stop')}
      </button>
    </div>
  );
}

export interface MoveHereProps {
  readonly slot: Slot;
  readonly event: number;
  readonly onDone: () => void;
}

export function MoveHere({ slot, event, onDone }: MoveHereProps) {
  const { id: business } = useBusiness();
  const [, change] = useAddress();
  const propose = usePropose();
  const move = async (): Promise<void> => {
    const { made } = await propose({
      title: words.say('move.here'),
      confirm: words.say('move'),
      done: words.say('move.done'),
      about: <p>{timeOfSlot(slot)}</p>,
      call: () =>
        clientOf(business).call('POST /events/{id}/reschedule', { params: { id: event }, body: { slot: slot.id } }),
    });
    if (!made) return readAgain();
    onDone();
    change({ tab: 'booked', move: undefined });
  };
  return (
    <div className="actions">
      <button type="button" onClick={() => void move()}>
        {words.say('move.here')}
      </button>
    </div>
  );
}
