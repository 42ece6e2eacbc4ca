/** The waitlist with positions, and late cancellations. */
import { clientOf } from '../../../app/client.ts';
import { nameOf } from '../people.ts';
import { useBusiness } from '../../../app/business.ts';
import { useOnline } from '../marks/use-marks.ts';
import { usePropose } from '../../../changes/change.tsx';
import { words } from '../words.ts';
import type { DoorEvent, Person } from '../read.ts';
import type { Someone } from '../book/book.tsx';

export interface WaitingProps {
  readonly event: DoorEvent;
  readonly waiting: readonly Person[];
  readonly cancelled: readonly Person[];
  readonly onBook: (who: Someone) => void;
  readonly onChanged: () => void;
}

export function Waiting({ event, waiting, cancelled, onBook, onChanged }: WaitingProps) {
  const { id: business } = useBusiness();
  const propose = usePropose();
  const online = useOnline();
  const remove = async (person: Person): Promise<void> => {
    const name = nameOf(person);
    const { made } = await propose({
      title: words.say('waiting.remove.of', { name }),
      call: () =>
        clientOf(business).call('POST /events/{id}/leave_waitlist', {
          params: { id: event.id },
          body: { customer: person.customer!.id },
        }),
      done: words.say('waiting.removed', { name }),
    });
    if (made) onChanged();
  };
  /** Somebody who is booked keeps their booking, and takes part in the other way. */
  const switchTo = async (person: Person, place: 'venue' | 'online'): Promise<void> => {
    const name = nameOf(person);
    const { made } = await propose({
      title: words.say('switch.of', { name }),
      call: () =>
        clientOf(business).call('POST /attendances/{id}/switch_place', { params: { id: person.id }, body: { place } }),
      done: words.say('switch.done', { name }),
    });
    if (made) onChanged();
  };
  return (
    <>
      <section aria-labelledby="waiting">
        <h2 id="waiting">{words.say('waiting.title', { n: waiting.length })}</h2>
        {waiting.length === 0 ? null : (
          <ol className="rows">
            {waiting.map((person) => {
              const name = nameOf(person);
              const { status, position, place } = person.waitlist_spot!;
              return (
                <li key={person.id}>
                  <span className="tag">
                    {status === 'spot_reserved' ? words.say('waiting.offered') : (position ?? '')}
                  </span>
                  <strong className="who">{name}</strong>
                  {place === 'online' ? <span className="tag">{words.say('place.online')}</span> : null}
                  <button
                    type="button"
                    className="second end"
                    disabled={!online}
                    aria-label={words.say('waiting.take.of', { name })}
                    onClick={() =>
                      person.status === 'registered'
                        ? void switchTo(person, place)
                        : onBook({ id: person.customer!.id, label: name, place })
                    }
                  >
                    {words.say('waiting.take')}
                  </button>
                  <button
                    type="button"
                    className="second"
                    disabled={!online}
                    aria-label={words.say('waiting.remove.of', { name })}
                    onClick={() => void remove(person)}
                  >
                    {words.say('waiting.remove')}
                  </button>
                </li>
              );
            })}
          </ol>
        )}
      </section>
      {cancelled.length > 0 ? (
        <section aria-labelledby="cancelled">
          <h2 id="cancelled">{words.say('status.late_cancelled')}</h2>
          <ul className="rows">
            {cancelled.map((person) => (
              <li key={person.id}>{nameOf(person)}</li>
            ))}
          </ul>
        </section>
      ) : null}
    </>
  );
}
