/** The diagram: the trigger, then the conditions, delay and effect of each action. */
import { useState } from 'react';
import { actionSaid, conditionSaid, useNames, type Action } from './kinds.ts';
import { clientOf } from '../../app/client.ts';
import { Failed, Loading } from '../../ui/states.tsx';
import { Letter } from '../../ui/letter.tsx';
import { parseDelay } from './delay.ts';
import { StepForm } from './step-form.tsx';
import { None } from '../../ui/listed.tsx';
import { useBusiness } from '../../app/business.ts';
import { useCall } from '../../app/calls.ts';
import { usePropose } from '../../changes/change.tsx';
import { words } from './words.ts';

const MAX_ROWS = 100;

export const useActions = (workflow: number) =>
  useCall('GET /crm/workflow_actions', { query: { workflow, page_size: MAX_ROWS } });

export function delaySaid(iso: string | null): string {
  const delay = parseDelay(iso);
  if (delay === null) return words.say('delay.none');
  return 'iso' in delay ? words.say('delay.iso', { iso: delay.iso }) : words.say(`delay.${delay.unit}`, { n: delay.n });
}

interface StepsProps {
  readonly workflow: number;
  readonly trigger: string;
  /** the trigger, as display text */
  readonly on: string;
}

export function Steps({ workflow, trigger, on }: StepsProps) {
  const { id: business } = useBusiness();
  const propose = usePropose();
  const names = useNames();
  const actions = useActions(workflow);
  const [editing, setEditing] = useState<Action | 'new' | null>(null);
  if (actions.error && !actions.data) return <Failed error={actions.error} again={() => void actions.refetch()} />;
  if (!actions.data) return <Loading />;
  const remove = (action: Action): void =>
    void propose({
      title: words.say('step.delete.title', { what: actionSaid(action, names) }),
      confirm: words.say('delete'),
      grave: true,
      done: words.say('step.deleted'),
      call: () => clientOf(business).call('DELETE /crm/workflow_actions/{id}', { params: { id: action.id } }),
    });
  const all = actions.data.results;
  return (
    <>
      <ol className="flow" aria-label={words.say('tab.steps')}>
        <li className="card">
          <strong>{words.say('flow.when')}</strong>
          <p>{on}</p>
        </li>
        {all.map((action) => {
          const what = actionSaid(action, names);
          const mail = action.email_template;
          return (
            <li key={action.id} className="card">
              <strong>{words.say('flow.if')}</strong>
              {action.conditions.length === 0 ? (
                <None text={words.say('flow.always')} />
              ) : (
                <ul>
                  {action.conditions.map((condition) => (
                    <li key={JSON.stringify(condition)}>{conditionSaid(condition, names)}</li>
                  ))}
                </ul>
              )}
              <strong>{words.say('flow.wait')}</strong>
              <p>{delaySaid(action.scheduled_delay)}</p>
              <strong>{words.say('flow.then')}</strong>
              <p>{what}</p>
              {mail || action.text ? (
                <details>
                  <summary>{words.say('step.text')}</summary>
                  <Letter label={what} subject={mail?.subject ?? null} text={mail?.body ?? action.text ?? ''} />
                </details>
              ) : null}
              <p className="actions">
                <button type="button" className="second" onClick={() => setEditing(action)}>
                  {words.say('step.edit')} <span className="unseen">{what}</span>
                </button>
                <button type="button" className="plain" onClick={() => remove(action)}>
                  {words.say('delete')} <span className="unseen">{what}</span>
                </button>
              </p>
            </li>
          );
        })}
      </ol>
      <p>
        <button type="button" className={all.length > 0 ? 'second' : undefined} onClick={() => setEditing('new')}>
          {words.say('step.add')}
        </button>
      </p>
      {all.length === 0 ? <None text={words.say('step.first')} /> : null}
      {editing ? (
        <StepForm
          workflow={workflow}
          trigger={trigger}
          names={names}
          {...(editing !== 'new' && { action: editing })}
          onClose={() => setEditing(null)}
        />
      ) : null}
    </>
  );
}
