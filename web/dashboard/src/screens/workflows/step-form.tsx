/** The form of an action: what it does, when, and under which conditions. */
import { useState } from 'react';
import { ACTION_TYPES, type Action, type ActionBody, type ActionType, type Condition, type Names } from './kinds.ts';
import { clientOf } from '../../app/client.ts';
import { Conditions } from './conditions.tsx';
import { DelayFields } from './delay-fields.tsx';
import { Field } from '../../ui/field.tsx';
import { formatDelay, parseDelay, type Delay } from './delay.ts';
import { ProposalForm, type Typed } from '../../changes/proposal-form.tsx';
import { Settings } from './settings.tsx';
import { useBusiness } from '../../app/business.ts';
import { words } from './words.ts';

export interface StepFormProps {
  readonly workflow: number;
  readonly trigger: string;
  /** absent for a new one */
  readonly action?: Action;
  readonly names: Names;
  readonly onClose: () => void;
}

/** Returns the settings of a kind of action; actions of other kinds have none of them. */
function settingsOf(type: ActionType, typed: Typed): Partial<ActionBody> {
  const purpose = typed.purpose === 'transactional' ? 'transactional' : 'marketing';
  const mail = {
    email_template: { subject: typed['email_template.subject'] ?? '', body: typed['email_template.body'] ?? '' },
  };
  switch (type) {
    case 'email_customer':
      return { ...mail, purpose };
    case 'sms_customer':
      return { text: typed.text ?? '', purpose };
    case 'email_staff':
      return { ...mail, staff: typed.staff ? Number(typed.staff) : null };
    case 'add_label':
    case 'remove_label':
      return { label: typed.label || null };
    case 'set_status':
      return { status: typed.status || null };
    case 'create_task':
      return {
        title: typed.title || null,
        description: typed.description || null,
        staff: typed.staff ? Number(typed.staff) : null,
        due_in_days: typed.due_in_days ? Number(typed.due_in_days) : null,
      };
    case 'call_webhook':
      return {};
  }
}

/** All settings that an action of any kind can have, set to none. */
const NONE = {
  email_template: null,
  purpose: null,
  text: null,
  staff: null,
  label: null,
  status: null,
  title: null,
  description: null,
  due_in_days: null,
} as const;

export function StepForm({ workflow, trigger, action, names, onClose }: StepFormProps) {
  const { id: business } = useBusiness();
  const [type, setType] = useState<ActionType>(action?.action_type ?? 'email_customer');
  const [conditions, setConditions] = useState<readonly Condition[]>(action?.conditions ?? []);
  const [delay, setDelay] = useState<Delay>(() => parseDelay(action?.scheduled_delay ?? null));
  const title = words.say(action ? 'step.edit' : 'step.add');
  return (
    <ProposalForm
      title={title}
      submit={words.say('save')}
      onClose={onClose}
      proposal={(typed) => ({
        title,
        confirm: words.say('save'),
        done: words.say('step.saved'),
        call: () => {
          const body: ActionBody = {
            workflow,
            action_type: type,
            conditions: [...conditions],
            scheduled_delay: formatDelay(delay),
            ...NONE,
            ...settingsOf(type, typed),
          };
          const client = clientOf(business);
          return action
            ? client.call('PATCH /crm/workflow_actions/{id}', { params: { id: action.id }, body })
            : client.call('POST /crm/workflow_actions', { body });
        },
      })}
    >
      {(errors) => (
        <>
          <Field label={words.say('step.what')} errors={errors('action_type')}>
            <select
              name="action_type"
              value={type}
              onChange={({ target: { value } }) =>
                setType(ACTION_TYPES.find((one) => one === value) ?? 'email_customer')
              }
            >
              {ACTION_TYPES.map((one) => (
                <option key={one} value={one}>
                  {words.say(`do.${one}`)}
                </option>
              ))}
            </select>
          </Field>
          <Settings
            key={type}
            type={type}
            {...(action?.action_type === type && { action })}
            names={names}
            errors={errors}
          />
          <DelayFields delay={delay} onDelay={setDelay} errors={errors('scheduled_delay')} />
          <Conditions
            conditions={conditions}
            onConditions={setConditions}
            trigger={trigger}
            names={names}
            errors={errors}
          />
        </>
      )}
    </ProposalForm>
  );
}
