/** The terms that customers accept when they buy a membership, and the consents to each version. */
import { useState } from 'react';
import { Choice } from '../inputs.tsx';
import { clientOf } from '../../../app/client.ts';
import { Consents } from './consents.tsx';
import { Failed, Loading } from '../../../ui/states.tsx';
import { Field } from '../../../ui/field.tsx';
import { momentOf } from '../../../words/times.ts';
import { planName } from '../../../memberships/plan-name.ts';
import { ProposalForm } from '../../../changes/proposal-form.tsx';
import { RowButton } from '../../../ui/row-button.tsx';
import { useBusiness } from '../../../app/business.ts';
import { useCall } from '../../../app/calls.ts';
import { usePaymentPlans, type PaymentPlan } from './read.ts';
import { words } from '../words.ts';

const useTerms = (membership: number) =>
  useCall('GET /membership_terms', {
    query: { membership, page_size: 100 },
    fields: ['id', 'plan.id', 'base_terms', 'version', 'updated_at'],
  });

export type TermsRead = NonNullable<ReturnType<typeof useTerms>['data']>['results'][number];

interface TermsProps {
  readonly membership: number;
  readonly isRecurring: boolean;
}

export function Terms({ membership, isRecurring }: TermsProps) {
  const { timezone } = useBusiness();
  const { data, error, refetch } = useTerms(membership);
  const plans = usePaymentPlans(membership, isRecurring).data?.results ?? [];
  const [doing, setDoing] = useState<'new' | TermsRead | null>(null);
  const [agreed, setAgreed] = useState<TermsRead | null>(null);
  if (error && !data) return <Failed error={error} again={() => void refetch()} />;
  if (!data) return <Loading />;
  const titleOf = (terms: TermsRead): string => {
    const plan = plans.find(({ id }) => id === terms.plan?.id);
    return plan ? words.say('terms.plan', { name: planName(plan) }) : words.say('terms.all');
  };
  const free = plans.filter(({ id }) => !data.results.some(({ plan }) => plan?.id === id));
  return (
    <>
      <ul className="rows">
        {data.results.map((terms) => (
          <li key={terms.id}>
            <strong>{titleOf(terms)}</strong>
            <span className="soft">
              {terms.version === 0
                ? words.say('terms.none')
                : words.say('terms.version', { n: terms.version, when: momentOf(terms.updated_at, timezone) })}
            </span>
            <span className="end row-actions">
              <RowButton text={words.say('terms.write')} about={titleOf(terms)} onClick={() => setDoing(terms)} />
              {terms.version > 0 ? (
                <RowButton text={words.say('consents')} about={titleOf(terms)} onClick={() => setAgreed(terms)} />
              ) : null}
            </span>
            {terms.version > 0 ? (
              <details className="whole">
                <summary>{words.say('terms.read')}</summary>
                <p className="said">{terms.base_terms}</p>
              </details>
            ) : null}
          </li>
        ))}
      </ul>
      {free.length > 0 ? (
        <div className="actions">
          <button type="button" className="second" onClick={() => setDoing('new')}>
            {words.say('terms.new')}
          </button>
        </div>
      ) : null}
      {doing !== null ? (
        <TermsForm
          terms={doing === 'new' ? undefined : doing}
          title={doing === 'new' ? words.say('terms.new') : titleOf(doing)}
          free={free}
          onClose={() => setDoing(null)}
        />
      ) : null}
      {agreed !== null ? <Consents terms={agreed} title={titleOf(agreed)} onClose={() => setAgreed(null)} /> : null}
    </>
  );
}

interface TermsFormProps {
  /** absent for a plan without terms of its own */
  readonly terms: TermsRead | undefined;
  readonly title: string;
  readonly free: readonly PaymentPlan[];
  readonly onClose: () => void;
}

function TermsForm({ terms, title, free, onClose }: TermsFormProps) {
  const { id: business } = useBusiness();
  return (
    <ProposalForm
      title={title}
      submit={words.say('save')}
      onClose={onClose}
      proposal={({ base_terms = '', plan }) => ({
        title,
        confirm: words.say('save'),
        done: words.say('terms.saved'),
        call: () =>
          terms
            ? clientOf(business).call('PATCH /membership_terms/{id}', {
                params: { id: terms.id },
                body: { base_terms },
              })
            : clientOf(business).call('POST /membership_terms', { body: { plan: Number(plan), base_terms } }),
      })}
    >
      {(errors) => (
        <>
          <p className="soft">{words.say('terms.about')}</p>
          {terms ? null : (
            <Choice
              name="plan"
              label={words.say('plan')}
              choices={free.map((plan) => [plan.id, planName(plan)])}
              errors={errors('plan')}
            />
          )}
          <Field label={words.say('terms.text')} errors={errors('base_terms')}>
            <textarea name="base_terms" rows={12} required defaultValue={terms?.base_terms} />
          </Field>
        </>
      )}
    </ProposalForm>
  );
}
