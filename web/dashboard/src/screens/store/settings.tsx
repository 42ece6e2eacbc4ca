/** Settings of the store: whether it is open, how orders are handed over, and the price of delivery. */
import { useState } from 'react';
import { clientOf } from '../../app/client.ts';
import { Failed, Loading } from '../../ui/states.tsx';
import { Field } from '../../ui/field.tsx';
import { may, useBusiness } from '../../app/business.ts';
import { ProposalForm } from '../../changes/proposal-form.tsx';
import { typedAmount } from '../../app/amount.ts';
import { useCall } from '../../app/calls.ts';
import { words } from './words.ts';

const useSettings = () => useCall('GET /store/settings', {});

type Read = NonNullable<ReturnType<typeof useSettings>['data']>;

const TEXTS = ['pickup_instructions', 'delivery_instructions'] as const;
const AMOUNTS = ['delivery_fee', 'free_delivery_from'] as const;

export function Settings() {
  const business = useBusiness();
  const { currency } = business;
  const { data, error, refetch } = useSettings();
  const [editing, setEditing] = useState(false);
  if (error) return <Failed error={error} again={() => void refetch()} />;
  if (!data) return <Loading />;
  return (
    <div className="card">
      <dl className="store-list">
        <dt>{words.say('settings.is_open')}</dt>
        <dd>{words.say(data.is_open ? 'settings.open' : 'settings.closed')}</dd>
        {TEXTS.map((name) => (
          <div key={name} className="store-pair">
            <dt>{words.say(`settings.${name}`)}</dt>
            <dd className="store-said">{data[name] ?? words.say('settings.none')}</dd>
          </div>
        ))}
        {AMOUNTS.map((name) => (
          <div key={name} className="store-pair">
            <dt>{words.say(`settings.${name}`, { currency })}</dt>
            <dd>{data[name] ?? words.say('settings.none')}</dd>
          </div>
        ))}
        <dt>{words.say('field.low')}</dt>
        <dd>{data.low_stock_threshold ?? words.say('settings.none')}</dd>
      </dl>
      {may(business, 'store') ? (
        <div className="actions">
          <button type="button" className="second" onClick={() => setEditing(true)}>
            {words.say('edit')}
          </button>
        </div>
      ) : (
        <p className="soft">{words.say('settings.ask')}</p>
      )}
      {editing ? <SettingsForm settings={data} onClose={() => setEditing(false)} /> : null}
    </div>
  );
}

function SettingsForm({ settings, onClose }: { readonly settings: Read; readonly onClose: () => void }) {
  const { id: business, currency } = useBusiness();
  const title = words.say('settings.edit');
  return (
    <ProposalForm
      title={title}
      onClose={onClose}
      submit={words.say('save')}
      proposal={(typed) => ({
        title,
        confirm: words.say('save'),
        done: words.say('settings.saved'),
        call: () =>
          clientOf(business).call('PATCH /store/settings', {
            body: {
              is_open: typed.is_open !== undefined,
              pickup_instructions: typed.pickup_instructions || null,
              delivery_instructions: typed.delivery_instructions || null,
              delivery_fee: typed.delivery_fee ? typedAmount(typed.delivery_fee) : null,
              free_delivery_from: typed.free_delivery_from ? typedAmount(typed.free_delivery_from) : null,
              low_stock_threshold: typed.low_stock_threshold ? Number(typed.low_stock_threshold) : null,
            },
          }),
      })}
    >
      {(errors) => (
        <>
          <label className="box">
            <input type="checkbox" name="is_open" defaultChecked={settings.is_open} /> {words.say('settings.open')}
          </label>
          {TEXTS.map((name) => (
            <Field key={name} label={words.say(`settings.${name}`)} errors={errors(name)}>
              <textarea name={name} rows={3} defaultValue={settings[name] ?? ''} />
            </Field>
          ))}
          {AMOUNTS.map((name) => (
            <Field
              key={name}
              label={words.say(`settings.${name}`, { currency })}
              hint={words.say(`settings.${name}.hint`)}
              errors={errors(name)}
            >
              <input name={name} inputMode="decimal" autoComplete="off" defaultValue={settings[name] ?? ''} />
            </Field>
          ))}
          <Field
            label={words.say('field.low')}
            hint={words.say('settings.low.hint')}
            errors={errors('low_stock_threshold')}
          >
            <input name="low_stock_threshold" type="number" min={0} defaultValue={settings.low_stock_threshold ?? ''} />
          </Field>
        </>
      )}
    </ProposalForm>
  );
}
