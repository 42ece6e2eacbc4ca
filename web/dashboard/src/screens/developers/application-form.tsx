import { useState } from 'react';
import { clientOf } from '../../app/client.ts';
import { Field } from '../../ui/field.tsx';
import { MESSAGE_LIMIT } from '../../app/message-limit.ts';
import { ProposalForm } from '../../changes/proposal-form.tsx';
import { typedAmount } from '../../app/amount.ts';
import { useBusiness } from '../../app/business.ts';
import { words } from './words.ts';
import type { Application } from './applications.tsx';

const SCOPES = ['read', 'read_write'] as const;

interface Made {
  readonly name: string;
  readonly client_secret: string | null;
}

export interface ApplicationFormProps {
  /** absent for a new one */
  readonly application?: Application;
  readonly onClose: () => void;
  readonly onMade: (made: Made) => void;
}

export function ApplicationForm({ application, onClose, onMade }: ApplicationFormProps) {
  const { id: business, currency } = useBusiness();
  const [isAssistant, setIsAssistant] = useState(application?.is_assistant ?? false);
  const title = words.say(application ? 'application.edit' : 'application.new');
  return (
    <ProposalForm<Made>
      title={title}
      submit={words.say(application ? 'save' : 'application.create')}
      onClose={onClose}
      onMade={onMade}
      proposal={(typed) => ({
        title,
        confirm: words.say(application ? 'save' : 'application.create'),
        done: words.say(application ? 'application.changed' : 'application.created'),
        call: () => {
          const body = {
            name: typed.name ?? '',
            domain: typed.domain ?? '',
            scopes: SCOPES.filter((scope) => typed[scope] !== undefined),
            allowed_callback_urls: (typed.allowed_callback_urls ?? '').split(/\s+/).filter(Boolean),
            is_public: typed.is_public !== undefined,
            is_assistant: typed.is_assistant !== undefined,
            ...(typed.is_assistant !== undefined && {
              daily_message_limit: typed.daily_message_limit ? Number(typed.daily_message_limit) : null,
              daily_amount_limit: typed.daily_amount_limit ? typedAmount(typed.daily_amount_limit) : null,
            }),
          };
          const client = clientOf(business);
          return application
            ? client.call('PATCH /applications/{id}', { params: { id: application.id }, body })
            : client.call('POST /applications', { body });
        },
      })}
    >
      {(errors) => (
        <>
          <Field label={words.say('application.name')} errors={errors('name')}>
            <input name="name" autoComplete="off" defaultValue={application?.name ?? ''} />
          </Field>
          <Field
            label={words.say('application.domain')}
            errors={errors('domain')}
            hint={words.say('application.domain.hint')}
          >
            <input name="domain" autoComplete="off" defaultValue={application?.domain ?? ''} />
          </Field>
          <fieldset>
            <legend>{words.say('application.scopes')}</legend>
            {SCOPES.map((scope) => (
              <label key={scope} className="box">
                <input
                  name={scope}
                  type="checkbox"
                  defaultChecked={application ? application.scopes.includes(scope) : scope === 'read'}
                />{' '}
                {words.say(`scope.${scope}`)}
              </label>
            ))}
            {errors('scopes').length > 0 ? <p className="error">{errors('scopes').join(' ')}</p> : null}
          </fieldset>
          <Field
            label={words.say('application.urls')}
            errors={errors('allowed_callback_urls')}
            hint={words.say('application.urls.hint')}
          >
            <textarea
              name="allowed_callback_urls"
              rows={3}
              defaultValue={application?.allowed_callback_urls.join('\n') ?? ''}
            />
          </Field>
          <label className="box">
            <input name="is_public" type="checkbox" defaultChecked={application?.is_public ?? false} />{' '}
            {words.say('application.is_public')}
          </label>
          <label className="box">
            <input
              name="is_assistant"
              type="checkbox"
              checked={isAssistant}
              onChange={({ target }) => setIsAssistant(target.checked)}
            />{' '}
            {words.say('application.is_assistant')}
          </label>
          {isAssistant ? (
            <fieldset>
              <legend>{words.say('application.limits')}</legend>
              <p className="soft small">{words.say('application.limits.hint')}</p>
              <Field label={words.say('application.messages')} errors={errors('daily_message_limit')}>
                <input
                  name="daily_message_limit"
                  type="number"
                  min={0}
                  defaultValue={application?.is_assistant ? (application.daily_message_limit ?? '') : MESSAGE_LIMIT}
                />
              </Field>
              <Field label={words.say('application.amount', { currency })} errors={errors('daily_amount_limit')}>
                <input
                  name="daily_amount_limit"
                  inputMode="decimal"
                  autoComplete="off"
                  defaultValue={application?.daily_amount_limit ?? ''}
                />
              </Field>
            </fieldset>
          ) : null}
        </>
      )}
    </ProposalForm>
  );
}
