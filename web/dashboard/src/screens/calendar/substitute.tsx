/** Choosing a substitute: the available instructors, and the reasons against the others. */
import { useState } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { Field } from '../../ui/field.tsx';
import { useCall } from '../../app/calls.ts';
import { words } from './words.ts';
import type { CalendarEvent } from './events.ts';

export interface SubstituteProps {
  readonly event: CalendarEvent;
  readonly onClose: () => void;
  readonly onChoose: (instructors: readonly number[]) => void;
}

export function Substitute({ event, onClose, onChoose }: SubstituteProps) {
  const { instructors } = event;
  const [replaced, setReplaced] = useState(instructors[0]?.id ?? null);
  const found = useCall('GET /events/{id}/substitutes', { params: { id: event.id }, query: { page_size: 100 } });
  const choose = (id: number): void =>
    onChoose([...instructors.map((one) => one.id).filter((one) => one !== replaced), id]);
  return (
    <Dialog title={words.say('substitute.of', { name: event.name })} onClose={onClose} side>
      {instructors.length > 1 ? (
        <Field label={words.say('substitute.for')}>
          <select value={replaced ?? ''} onChange={({ target }) => setReplaced(Number(target.value))}>
            {instructors.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </Field>
      ) : null}
      {found.error ? <Failed error={found.error} again={() => void found.refetch()} /> : null}
      {!found.data && !found.error ? <Loading /> : null}
      {found.data?.results.length === 0 ? <Empty title={words.say('substitute.none')} /> : null}
      <ul className="rows">
        {found.data?.results.map(({ instructor, name, available, reasons }) => (
          <li key={instructor}>
            <span className="what">
              <strong>{name}</strong>
              {reasons.map(({ reason, explanation }) => (
                <span key={reason} className="soft small reason">
                  {explanation}
                </span>
              ))}
            </span>
            <button
              type="button"
              className={available ? 'button end' : 'second end'}
              aria-label={words.say('substitute.choose', { name })}
              onClick={() => choose(instructor)}
            >
              {words.say('choose')}
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
