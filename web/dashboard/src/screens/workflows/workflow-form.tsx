import { clientOf } from '../../app/client.ts';
import { Field } from '../../ui/field.tsx';
import { ProposalForm } from '../../changes/proposal-form.tsx';
import { GROUPS, isUsual, said, TRIGGER_GROUPS, useOtherTriggers, type Trigger } from '../../triggers/triggers.ts';
import { useState } from 'react';
import { useBusiness } from '../../app/business.ts';
import { words as ofTriggers } from '../../triggers/words.ts';
import { words } from './words.ts';

/** The choice that shows all other triggers. */
const ALL = 'all';

export interface WorkflowFormProps {
  /** absent for a new one */
  readonly workflow?: { readonly id: number; readonly name: string | null; readonly trigger: string };
  readonly onClose: () => void;
  readonly onMade: (id: number) => void;
}

export function WorkflowForm({ workflow, onClose, onMade }: WorkflowFormProps) {
  const { id: business } = useBusiness();
  const others = useOtherTriggers();
  const [all, setAll] = useState(workflow !== undefined && !isUsual(workflow.trigger));
  const [trigger, setTrigger] = useState<string>(workflow?.trigger ?? GROUPS.people[0]);
  const title = words.say(workflow ? 'change' : 'new');
  return (
    <ProposalForm<{ readonly id: number }>
      title={title}
      submit={words.say(workflow ? 'save' : 'create')}
      onClose={onClose}
      onMade={({ id }) => onMade(id)}
      proposal={({ name }) => ({
        title,
        confirm: words.say(workflow ? 'save' : 'create'),
        done: words.say(workflow ? 'changed' : 'created'),
        call: () => {
          const body = { name: name || null, trigger: trigger as Trigger };
          const client = clientOf(business);
          // A new workflow runs only once it was tested and switched on.
          return workflow
            ? client.call('PATCH /crm/workflows/{id}', { params: { id: workflow.id }, body })
            : client.call('POST /crm/workflows', { body: { ...body, is_enabled: false } });
        },
      })}
    >
      {(errors) => (
        <>
          <Field label={words.say('name')} errors={errors('name')}>
            <input name="name" autoComplete="off" defaultValue={workflow?.name ?? ''} />
          </Field>
          <Field label={words.say('trigger')} errors={errors('trigger')} hint={words.say('trigger.hint')}>
            <select
              name="trigger"
              value={trigger}
              onChange={({ target }) => (target.value === ALL ? setAll(true) : setTrigger(target.value))}
            >
              {TRIGGER_GROUPS.map((group) => (
                <optgroup key={group} label={words.say(`group.${group}`)}>
                  {GROUPS[group].map((one) => (
                    <option key={one} value={one}>
                      {said(one)}
                    </option>
                  ))}
                </optgroup>
              ))}
              {all ? (
                <optgroup label={ofTriggers.say('others')}>
                  {/* Until the other choices are loaded, a saved one must not look as if it had been replaced. */}
                  {isUsual(trigger) || others.some(({ type }) => type === trigger) ? null : (
                    <option value={trigger}>{said(trigger)}</option>
                  )}
                  {others.map(({ type, text }) => (
                    <option key={type} value={type} lang="en">
                      {text}
                    </option>
                  ))}
                </optgroup>
              ) : (
                <option value={ALL}>{words.say('trigger.all')}</option>
              )}
            </select>
          </Field>
        </>
      )}
    </ProposalForm>
  );
}
