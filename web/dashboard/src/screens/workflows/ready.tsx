/** Workflows that are ready to use: each is created with its text in one form. */
import { useState } from 'react';
import { clientOf } from '../../app/client.ts';
import { Field } from '../../ui/field.tsx';
import { ProposalForm } from '../../changes/proposal-form.tsx';
import { said, type Trigger } from '../../triggers/triggers.ts';
import { Settings } from './settings.tsx';
import { useBusiness } from '../../app/business.ts';
import { words } from './words.ts';
import type { ActionBody, Condition } from './kinds.ts';

interface Ready {
  readonly trigger: Trigger;
  readonly delay?: string;
  readonly conditions?: readonly Condition[];
  readonly purpose: NonNullable<ActionBody['purpose']>;
}

/** The longest time in which visits are counted, in days. */
const ALWAYS = 730;

const READY = {
  welcome: { trigger: 'customer.created', purpose: 'transactional' },
  first_class: {
    trigger: 'attendance.attended',
    delay: 'PT3H',
    conditions: [{ condition_type: 'visits', operator: 'equals', count: 1, days: ALWAYS }],
    purpose: 'transactional',
  },
  absent: {
    trigger: 'customer.inactive',
    conditions: [
      { condition_type: 'days_since_last_visit', operator: 'equals', days: 14 },
      { condition_type: 'upcoming_booking', operator: 'equals', value: false },
    ],
    purpose: 'marketing',
  },
  ending: { trigger: 'customer_membership.ends_soon', purpose: 'transactional' },
  failed: { trigger: 'invoice.payment_failed', delay: 'P1D', purpose: 'transactional' },
  member: { trigger: 'customer_membership.created', delay: 'P1D', purpose: 'transactional' },
  birthday: { trigger: 'customer.birthday', purpose: 'marketing' },
  win_back: {
    trigger: 'customer_membership.completed',
    delay: 'P30D',
    conditions: [{ condition_type: 'membership_held', operator: 'not_equals', membership: null }],
    purpose: 'marketing',
  },
} as const satisfies Readonly<Record<string, Ready>>;

type Name = keyof typeof READY;
const NAMES = Object.keys(READY) as Name[];

/** The merge fields of the texts. */
const FIELDS = { first_name: '{{customer.first_name}}', business: '{{business.name}}' };

const NO_NAMES = { labels: [], statuses: [], venues: [], memberships: [], staff: [], questions: [] } as const;

export function ReadyWorkflows({ onMade }: { readonly onMade: (id: number) => void }) {
  const { name: business } = useBusiness();
  const [chosen, setChosen] = useState<Name | null>(null);
  return (
    <section aria-labelledby="ready">
      <h2 id="ready">{words.say('ready')}</h2>
      <p className="soft">{words.say('ready.about')}</p>
      <ul className="ready">
        {NAMES.map((name) => (
          <li key={name}>
            <button type="button" className="second" onClick={() => setChosen(name)}>
              <strong>{words.say(`ready.${name}`)}</strong>
              <span className="soft small">{words.say(`ready.${name}.subject`, { business })}</span>
            </button>
          </li>
        ))}
      </ul>
      {chosen ? <ReadyForm name={chosen} onClose={() => setChosen(null)} onMade={onMade} /> : null}
    </section>
  );
}

interface ReadyFormProps {
  readonly name: Name;
  readonly onClose: () => void;
  readonly onMade: (id: number) => void;
}

function ReadyForm({ name, onClose, onMade }: ReadyFormProps) {
  const { id: business } = useBusiness();
  const { trigger, delay, conditions, purpose }: Ready = READY[name];
  const title = words.say(`ready.${name}`);
  return (
    <ProposalForm<{ readonly id: number }>
      title={title}
      submit={words.say('ready.create')}
      onClose={onClose}
      onMade={({ id }) => onMade(id)}
      proposal={(typed) => ({
        title,
        done: words.say('ready.created', { name: typed.name ?? title }),
        call: () =>
          clientOf(business).call('POST /crm/workflows', {
            body: {
              name: typed.name || title,
              trigger,
              is_enabled: typed.is_enabled !== undefined,
              actions: [
                {
                  action_type: 'email_customer',
                  email_template: {
                    subject: typed['email_template.subject'] ?? '',
                    body: typed['email_template.body'] ?? '',
                  },
                  purpose: typed.purpose === 'marketing' ? 'marketing' : 'transactional',
                  conditions: [...(conditions ?? [])],
                  scheduled_delay: delay ?? null,
                },
              ],
            },
          }),
      })}
    >
      {(errors) => (
        <>
          <p className="soft">{said(trigger)}</p>
          <Field label={words.say('name')} errors={errors('name')}>
            <input name="name" autoComplete="off" defaultValue={title} />
          </Field>
          <Settings
            type="email_customer"
            initial={{
              subject: words.say(`ready.${name}.subject`, FIELDS),
              body: words.say(`ready.${name}.body`, FIELDS),
              purpose,
            }}
            names={NO_NAMES}
            errors={(property) => errors(`actions.0.${property}`)}
          />
          <label className="box">
            <input type="checkbox" name="is_enabled" defaultChecked /> {words.say('ready.on')}
          </label>
        </>
      )}
    </ProposalForm>
  );
}
