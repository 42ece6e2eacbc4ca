/** Cancels several of the visible events, such as all of a day, with a bulk action that reports the result of each. */
import { useState } from 'react';
import { BulkDialog } from '../../changes/bulk-results.tsx';
import { clientOf } from '../../app/client.ts';
import { dateOf } from './wall.ts';
import { Empty } from '../../ui/states.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { longDay } from './columns.ts';
import { bookedOf, timesOfWalls } from './chip.tsx';
import { NotifyFields, notifyOf } from './ask.tsx';
import { ProposalForm } from '../../changes/proposal-form.tsx';
import { useBusiness } from '../../app/business.ts';
import { words } from './words.ts';
import type { CalendarEvent } from './events.ts';

export interface CancelSeveralProps {
  readonly events: readonly CalendarEvent[];
  readonly onClose: () => void;
}

export function CancelSeveral({ events, onClose }: CancelSeveralProps) {
  const { id: business } = useBusiness();
  // The visible events change while the job runs.
  const [all] = useState(() => events.filter(({ status }) => status === 'active').toSorted((a, b) => a.from - b.from));
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [said, setSaid] = useState({ notify: true, message: '' });
  const [action, setAction] = useState<number | null>(null);
  const title = words.say('several');
  if (action !== null)
    return (
      <BulkDialog
        title={title}
        action={action}
        names={new Map(all.filter(({ id }) => chosen.has(id)).map((one) => [one.id, labelOf(one)]))}
        onClose={onClose}
      />
    );
  if (all.length === 0)
    return (
      <Dialog title={title} onClose={onClose}>
        <Empty title={words.say('none')} />
      </Dialog>
    );
  const toggle = (id: number, wanted: boolean): void =>
    setChosen(wanted ? chosen.union(new Set([id])) : chosen.difference(new Set([id])));
  return (
    <ProposalForm<{ readonly id: number }>
      title={title}
      onClose={onClose}
      onMade={({ id }) => setAction(id)}
      proposal={() => ({
        title: words.say('several.of', { n: chosen.size }),
        confirm: words.say('several.confirm'),
        done: words.say('several.begun'),
        grave: true,
        call: () =>
          clientOf(business).call('POST /events/bulk_cancel', {
            body: { events: { ids: [...chosen] }, ...notifyOf(said) },
            fields: ['id'],
          }),
      })}
    >
      {(errors) => (
        <>
          {all.length > 1 ? (
            <label className="box">
              <input
                type="checkbox"
                checked={chosen.size === all.length}
                onChange={({ target }) => setChosen(new Set(target.checked ? all.map(({ id }) => id) : []))}
              />{' '}
              {words.say('several.all', { n: all.length })}
            </label>
          ) : null}
          <ul className="rows">
            {all.map((event) => (
              <li key={event.id}>
                <label className="box">
                  <input
                    type="checkbox"
                    checked={chosen.has(event.id)}
                    onChange={({ target }) => toggle(event.id, target.checked)}
                  />{' '}
                  {labelOf(event)}
                </label>
                <span className="end soft small">{bookedOf(event)}</span>
              </li>
            ))}
          </ul>
          {[...errors('events'), ...errors('events.ids')].map((one) => (
            <p key={one} className="error">
              {one}
            </p>
          ))}
          <NotifyFields value={said} onChange={(next) => setSaid({ ...said, ...next })} />
        </>
      )}
    </ProposalForm>
  );
}

const labelOf = (event: CalendarEvent): string =>
  `${longDay(dateOf(event.from))}, ${timesOfWalls(event.from, event.to)}: ${event.name}`;
