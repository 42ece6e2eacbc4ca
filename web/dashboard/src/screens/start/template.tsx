/** Starts from a template: the kind of business, its prices, and one confirmation. */
import { useState } from 'react';
import { clientOf } from '../../app/client.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { Field } from '../../ui/field.tsx';
import { isLanguage, language, LANGUAGES } from '../../words/language.ts';
import { Kept } from '../../ui/kept.tsx';
import { ProposalForm } from '../../changes/proposal-form.tsx';
import { typedAmount } from '../../app/amount.ts';
import { useBusiness } from '../../app/business.ts';
import { useCall } from '../../app/calls.ts';
import { words } from './words.ts';
import type { FormProps } from './forms.tsx';

const PRICES = ['visit', 'trial', 'pack', 'month'] as const;

export function ApplyTemplate({ onClose }: FormProps) {
  const { id: business, currency } = useBusiness();
  const [wanted, setWanted] = useState<string>(language);
  const [chosen, setChosen] = useState<string | null>(null);
  const found = useCall(
    'GET /business_templates',
    { query: { ...(isLanguage(wanted) && { language: wanted }) } },
    { keep: true },
  );
  const title = words.say('template');
  if (!found.data)
    return (
      <Dialog title={title} onClose={onClose}>
        {found.error ? <Failed error={found.error} again={() => void found.refetch()} /> : <Loading />}
      </Dialog>
    );
  const { results, usual_prices } = found.data;
  const shown = results.find(({ template }) => template === chosen) ?? results[0];
  return (
    <ProposalForm
      title={title}
      submit={words.say('template.confirm')}
      onClose={onClose}
      proposal={(typed) => ({
        title: words.say('template.of', { name: shown.name }),
        confirm: words.say('template.confirm'),
        done: words.say('template.done'),
        call: () =>
          clientOf(business).call('POST /business_templates/apply', {
            body: {
              template: shown.template,
              ...(isLanguage(wanted) && { language: wanted }),
              prices: {
                visit: typedAmount(typed.visit ?? ''),
                pack: typedAmount(typed.pack ?? ''),
                month: typedAmount(typed.month ?? ''),
                trial: typedAmount(typed.trial ?? ''),
              },
            },
          }),
      })}
    >
      {(errors) => (
        <>
          <Kept read={found}>
            <div className="templates" role="group" aria-label={words.say('template.which')}>
              {results.map(({ template, name, description }) => (
                <button
                  key={template}
                  type="button"
                  className="second"
                  aria-pressed={template === shown.template}
                  onClick={() => setChosen(template)}
                >
                  <strong>{name}</strong> <span className="soft small">{description}</span>
                </button>
              ))}
            </div>
            <dl className="template-parts">
              {(['offering_types', 'memberships', 'crm_workflows'] as const).map((part) => (
                <div key={part}>
                  <dt>{words.say(`template.${part}`)}</dt>
                  <dd>{shown[part].join(', ')}</dd>
                </div>
              ))}
            </dl>
          </Kept>
          <div className="template-prices">
            {PRICES.map((name) => (
              <Field key={name} label={words.say(`template.${name}`, { currency })} errors={errors(`prices.${name}`)}>
                <input
                  name={name}
                  inputMode="decimal"
                  autoComplete="off"
                  defaultValue={usual_prices?.[name] ?? ''}
                  required
                />
              </Field>
            ))}
          </div>
          <Field label={words.say('template.language')}>
            <select value={wanted} onChange={({ target }) => setWanted(target.value)}>
              {Object.entries(LANGUAGES).map(([code, name]) => (
                <option key={code} value={code} lang={code}>
                  {name}
                </option>
              ))}
            </select>
          </Field>
          <p className="soft small">{words.say('template.edit')}</p>
        </>
      )}
    </ProposalForm>
  );
}
