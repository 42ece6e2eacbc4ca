/** The actions available for the event in the panel. */
import { useState } from 'react';
import { Explain } from './explain.tsx';
import { may, useBusiness } from '../../app/business.ts';
import { Substitute } from './substitute.tsx';
import { words } from './words.ts';
import type { CalendarEvent } from './events.ts';
import type { Changes } from './changes.tsx';

export interface ActionsProps {
  readonly event: CalendarEvent;
  readonly changes: Changes;
  readonly onEdit: () => void;
}

export function Actions({ event, changes, onEdit }: ActionsProps) {
  const business = useBusiness();
  const [replacing, setReplacing] = useState(false);
  const manages = may(business, 'manage_events');
  const active = event.status === 'active';
  return (
    <>
      {manages ? (
        <div className="actions">
          {active ? (
            <>
              <button type="button" className="button" onClick={onEdit}>
                {words.say('edit')}
              </button>
              <button type="button" className="second" onClick={() => setReplacing(true)}>
                {words.say('substitute')}
              </button>
              <button type="button" className="second" onClick={() => void changes.cancel(event)}>
                {words.say('cancel.button')}
              </button>
            </>
          ) : (
            <button type="button" className="button" onClick={() => void changes.reopen(event)}>
              {words.say('reopen.button')}
            </button>
          )}
        </div>
      ) : null}
      {may(business, 'customers', 'attendances', 'pos') ? <Explain event={event.id} /> : null}
      {replacing ? (
        <Substitute
          event={event}
          onClose={() => setReplacing(false)}
          onChoose={(instructors) => {
            setReplacing(false);
            void changes.teach(event, instructors);
          }}
        />
      ) : null}
    </>
  );
}
