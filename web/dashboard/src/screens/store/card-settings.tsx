/** Settings of gift cards: who can buy them, their amounts, and the email that delivers them. */
import { useState } from 'react';
import { amountOf } from '../../words/times.ts';
import { clientOf } from '../../app/client.ts';
import { Failed, Loading } from '../../ui/states.tsx';
import { Field } from '../../ui/field.tsx';
import { ProposalForm } from '../../changes/proposal-form.tsx';
import { typedAmount } from '../../app/amount.ts';
import { useBusiness } from '../../app/business.ts';
import { useCall } from '../../app/calls.ts';
import { words } from './words.ts';

export function CardSettings() {
  const { data, error, refetch } = useCall('GET /gift_cards/config', {});
  const { currency } = useBusiness();
  const [editing, setEditing] = useState(false);
  const amountIn = (amount: string): string => amountOf({ decimal: Number(amount), iso_currency_code: currency });
  if (error) return <Failed error={error} again={() => void refetch()} />;
  if (!data) return <Loading />;
  const sold = [
    data.is_enabled_provider_site && words.say('cards.by_staff'),
    data.is_enabled_customer_site && words.say('cards.by_customers'),
  ].filter(Boolean);
  return (
    <div className="card">
      <dl className="store-list">
        <dt>{words.say('cards.who')}</dt>
        <dd>{sold.length > 0 ? sold.join(' · ') : words.say('cards.off')}</dd>
        <dt>{words.say('cards.amounts')}</dt>
        <dd>
          {[
            ...data.amount_choices.map(amountIn),
            ...(data.amount_range
              ? [`${amountIn(data.amount_range.smallest)} – ${amountIn(data.amount_range.largest)}`]
              : []),
          ].join(' · ') || words.say('cards.amounts.none')}
        </dd>
        <dt>{words.say('cards.expiry')}</dt>
        <dd>
          {data.do_gift_cards_expire
            ? words.say('cards.days', { n: data.redemption_expiration_days })
            : words.say('cards.never')}
        </dd>
      </dl>
      <div className="actions">
        <button type="button" className="second" onClick={() => setEditing(true)}>
          {words.say('cards.edit')}
        </button>
      </div>
      {editing ? <CardSettingsForm config={data} onClose={() => setEditing(false)} /> : null}
    </div>
  );
}

interface FormProps {
  readonly config: {
    readonly is_enabled_provider_site: boolean;
    readonly is_enabled_customer_site: boolean;
    readonly amount_choices: readonly string[];
    readonly amount_range: { readonly smallest: string; readonly largest: string } | null;
    readonly do_gift_cards_expire: boolean;
    readonly redemption_expiration_days: number;
    readonly redemption_email_template: { readonly subject: string; readonly body: string };
  };
  readonly onClose: () => void;
}

function CardSettingsForm({ config, onClose }: FormProps) {
  const { id: business, currency } = useBusiness();
  const fields = useCall('GET /gift_cards/config/metadata', {});
  const { redemption_email_template: mail, amount_range: range } = config;
  const title = words.say('cards.edit');
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
          clientOf(business).call('PATCH /gift_cards/config', {
            body: {
              is_enabled_provider_site: typed.is_enabled_provider_site !== undefined,
              is_enabled_customer_site: typed.is_enabled_customer_site !== undefined,
              // Splits between amounts, so that `25,50` stays one amount.
              amount_choices: (typed.amount_choices ?? '')
                .split(/[;\s]+/)
                .filter(Boolean)
                .map(typedAmount),
              amount_range:
                typed.smallest || typed.largest
                  ? { smallest: typedAmount(typed.smallest ?? ''), largest: typedAmount(typed.largest ?? '') }
                  : null,
              do_gift_cards_expire: typed.do_gift_cards_expire !== undefined,
              ...(typed.redemption_expiration_days && {
                redemption_expiration_days: Number(typed.redemption_expiration_days),
              }),
              redemption_email_template: { subject: typed.subject ?? '', body: typed.body ?? '' },
            },
          }),
      })}
    >
      {(errors) => (
        <>
          <label className="box">
            <input type="checkbox" name="is_enabled_provider_site" defaultChecked={config.is_enabled_provider_site} />{' '}
            {words.say('cards.by_staff')}
          </label>
          <label className="box">
            <input type="checkbox" name="is_enabled_customer_site" defaultChecked={config.is_enabled_customer_site} />{' '}
            {words.say('cards.by_customers')}
          </label>
          <Field
            label={words.say('cards.choices', { currency })}
            hint={words.say('cards.choices.hint')}
            errors={errors('amount_choices')}
          >
            <input name="amount_choices" autoComplete="off" defaultValue={config.amount_choices.join(' ')} />
          </Field>
          <Field
            label={words.say('cards.smallest', { currency })}
            hint={words.say('cards.range.hint')}
            errors={errors('amount_range')}
          >
            <input name="smallest" inputMode="decimal" autoComplete="off" defaultValue={range?.smallest} />
          </Field>
          <Field label={words.say('cards.largest', { currency })}>
            <input name="largest" inputMode="decimal" autoComplete="off" defaultValue={range?.largest} />
          </Field>
          <label className="box">
            <input type="checkbox" name="do_gift_cards_expire" defaultChecked={config.do_gift_cards_expire} />{' '}
            {words.say('cards.expire')}
          </label>
          <Field label={words.say('cards.expire.days')} errors={errors('redemption_expiration_days')}>
            <input
              name="redemption_expiration_days"
              type="number"
              min={1}
              defaultValue={config.redemption_expiration_days}
            />
          </Field>
          <Field label={words.say('cards.subject')} errors={errors('redemption_email_template.subject')}>
            <input name="subject" autoComplete="off" defaultValue={mail.subject} />
          </Field>
          <Field
            label={words.say('cards.body')}
            hint={(fields.data?.template_variables ?? []).map(({ name }) => `{{${name}}}`).join(', ')}
            errors={[...errors('redemption_email_template'), ...errors('redemption_email_template.body')]}
          >
            <textarea name="body" rows={8} defaultValue={mail.body} />
          </Field>
        </>
      )}
    </ProposalForm>
  );
}
