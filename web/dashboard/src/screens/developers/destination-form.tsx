/** The address and the event types of a webhook. */
import { useState } from 'react';
import type { AskedOf } from 'rollcall-sdk';
import { clientOf } from '../../app/client.ts';
import { Field } from '../../ui/field.tsx';
import { ProposalForm } from '../../changes/proposal-form.tsx';
import { useBusiness } from '../../app/business.ts';
import { useFeedTypes } from '../../app/feed-types.ts';
import { words } from './words.ts';

type Types = AskedOf<'POST /webhook_destinations', never, never>['body']['feed_item_types'];

interface Made {
  readonly id: number;
  readonly url: string;
  readonly secret: string | null;
}

export interface DestinationFormProps {
  /** absent for a new one */
  readonly destination?: {
    readonly id: number;
    readonly url: string;
    readonly description: string | null;
    readonly feed_item_types: readonly string[];
  };
  readonly onClose: () => void;
  readonly onMade: (made: Made) => void;
}

export function DestinationForm({ destination, onClose, onMade }: DestinationFormProps) {
  const { id: business } = useBusiness();
  const types = useFeedTypes();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(destination?.feed_item_types));
  const title = words.say(destination ? 'webhook.edit' : 'webhook.new');
  const wanted = text.trim().toLowerCase();
  const found = (types.data ?? []).filter(({ type, description }) =>
    wanted === '' ? chosen.has(type) : `${type} ${description}`.toLowerCase().includes(wanted),
  );
  const choose = (type: string, is: boolean): void =>
    setChosen((before) => {
      const next = new Set(before);
      if (is) next.add(type);
      else next.delete(type);
      return next;
    });
  return (
    <ProposalForm<Made>
      title={title}
      submit={words.say(destination ? 'save' : 'webhook.create')}
      onClose={onClose}
      onMade={onMade}
      proposal={({ url = '', description }) => ({
        title,
        confirm: words.say(destination ? 'save' : 'webhook.create'),
        done: words.say(destination ? 'webhook.changed' : 'webhook.created'),
        call: () => {
          const body = { url, description: description || null, feed_item_types: [...chosen] as unknown as Types };
          const client = clientOf(business);
          return destination
            ? client.call('PATCH /webhook_destinations/{id}', { params: { id: destination.id }, body })
            : client.call('POST /webhook_destinations', { body });
        },
      })}
    >
      {(errors) => (
        <>
          <Field label={words.say('webhook.url')} errors={errors('url')} hint={words.say('webhook.url.hint')}>
            <input name="url" type="url" autoComplete="off" defaultValue={destination?.url ?? ''} />
          </Field>
          <Field label={words.say('webhook.description')} errors={errors('description')}>
            <input name="description" autoComplete="off" defaultValue={destination?.description ?? ''} />
          </Field>
          <Field
            label={words.say('webhook.find')}
            errors={errors('feed_item_types')}
            hint={words.say('webhook.find.hint')}
          >
            <input name="feed_item_types" type="search" value={text} onChange={({ target }) => setText(target.value)} />
          </Field>
          <p role="status" className="small">
            {words.say('webhook.chosen', { n: chosen.size })}
          </p>
          <div className="types" role="group" aria-label={words.say('webhook.what')}>
            {found.map(({ type, description }) => (
              <label key={type} className="box" lang="en">
                <input
                  type="checkbox"
                  checked={chosen.has(type)}
                  onChange={({ target }) => choose(type, target.checked)}
                />{' '}
                <span>
                  {type} <span className="soft small">{description}</span>
                </span>
              </label>
            ))}
          </div>
        </>
      )}
    </ProposalForm>
  );
}
