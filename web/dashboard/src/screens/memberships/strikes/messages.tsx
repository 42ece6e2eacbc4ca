/** The messages sent for a strike or a penalty, in any number. */
import { useState } from 'react';
import { Box, Boxes, Choice } from '../inputs.tsx';
import { checkedValues, oneOf } from '../typed.ts';
import { clientOf } from '../../../app/client.ts';
import { Listed, NextSteps, type NextStep } from '../../../ui/listed.tsx';
import { ProposalForm } from '../../../changes/proposal-form.tsx';
import { RowButton } from '../../../ui/row-button.tsx';
import { TemplateText } from '../../../ui/template-text.tsx';
import { useBusiness } from '../../../app/business.ts';
import { useCall } from '../../../app/calls.ts';
import { usePages } from '../../../app/pages.ts';
import { usePropose } from '../../../changes/change.tsx';
import { useSystems } from './systems.ts';
import { words } from '../words.ts';

const TRIGGERS = ['non_penalized_infraction', 'penalty'] as const;

const useMessages = () =>
  usePages('GET /communication/notification_types/membership_penalty/messages', {
    query: { page_size: 50 },
    fields: ['id', 'email_template', 'trigger_type', 'penalty_systems'],
  });

type Message = NonNullable<ReturnType<typeof useMessages>['data']>['pages'][number]['results'][number];

export function Messages() {
  const { id: business } = useBusiness();
  const propose = usePropose();
  const list = useMessages();
  const [doing, setDoing] = useState<'new' | Message | null>(null);
  const remove = ({ id, email_template: { subject } }: Message): void =>
    void propose({
      title: words.say('delete.of', { name: subject }),
      confirm: words.say('delete'),
      done: words.say('deleted', { name: subject }),
      grave: true,
      call: () =>
        clientOf(business).call('DELETE /communication/notification_types/membership_penalty/messages/{id}', {
          params: { id },
        }),
    });
  const next: readonly NextStep[] = [
    { label: words.say('message.new'), needs: ['super_admin'], second: true, act: () => setDoing('new') },
  ];
  return (
    <section aria-label={words.say('messages')}>
      <h3>{words.say('messages')}</h3>
      <Listed list={list} none={words.say('messages.none')} next={next}>
        {(all) => (
          <ul className="rows">
            {all.map((message) => (
              <li key={message.id}>
                <strong>{message.email_template.subject}</strong>
                <span className="tag">{words.say(`trigger.${message.trigger_type}`)}</span>
                <span className="end row-actions">
                  <RowButton
                    text={words.say('edit')}
                    about={message.email_template.subject}
                    onClick={() => setDoing(message)}
                  />
                  <RowButton
                    text={words.say('delete')}
                    about={message.email_template.subject}
                    onClick={() => remove(message)}
                  />
                </span>
              </li>
            ))}
          </ul>
        )}
      </Listed>
      <div className="actions">
        <NextSteps list={list} next={next} />
      </div>
      {doing !== null ? (
        <MessageForm message={doing === 'new' ? undefined : doing} onClose={() => setDoing(null)} />
      ) : null}
    </section>
  );
}

interface MessageFormProps {
  /** absent for a new one */
  readonly message: Message | undefined;
  readonly onClose: () => void;
}

function MessageForm({ message, onClose }: MessageFormProps) {
  const { id: business } = useBusiness();
  const systems = useSystems();
  const type = useCall('GET /communication/notification_types/membership_penalty', {});
  if (!systems.data || !type.data) return null;
  const fields = type.data.template_variables;
  const title = message ? words.say('edit.of', { name: message.email_template.subject }) : words.say('message.new');
  return (
    <ProposalForm
      title={title}
      onClose={onClose}
      submit={words.say('save')}
      proposal={(typed) => {
        const subject = typed['email_template.subject'] ?? '';
        const body = {
          email_template: { subject, body: typed['email_template.body'] ?? '' },
          trigger_type: oneOf(TRIGGERS, typed.trigger_type),
          penalty_systems: checkedValues(typed, 'penalty_systems').map(Number),
        };
        return {
          title,
          confirm: words.say('save'),
          done: words.say('saved', { name: subject }),
          call: () =>
            message
              ? clientOf(business).call('PATCH /communication/notification_types/membership_penalty/messages/{id}', {
                  params: { id: message.id },
                  body,
                })
              : clientOf(business).call('POST /communication/notification_types/membership_penalty/messages', { body }),
        };
      }}
    >
      {(errors) => (
        <>
          <Choice
            name="trigger_type"
            label={words.say('trigger')}
            choices={TRIGGERS.map((one) => [one, words.say(`trigger.${one}`)])}
            value={message?.trigger_type}
            errors={errors('trigger_type')}
          />
          <Boxes legend={words.say('message.systems')} errors={errors('penalty_systems')}>
            {systems.data.results.map(({ id, name }) => (
              <Box
                key={id}
                name={`penalty_systems.${id}`}
                label={name}
                checked={message ? message.penalty_systems.includes(id) : true}
              />
            ))}
          </Boxes>
          <TemplateText
            name="email_template.subject"
            label={words.say('message.subject')}
            errors={errors('email_template.subject')}
            fields={fields}
            rows={1}
            initial={message?.email_template.subject}
          />
          <TemplateText
            name="email_template.body"
            label={words.say('message.body')}
            errors={errors('email_template.body')}
            fields={fields}
            rows={8}
            initial={message?.email_template.body}
          />
        </>
      )}
    </ProposalForm>
  );
}
