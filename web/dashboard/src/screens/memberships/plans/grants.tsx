/** The grants of a membership: what it can be used for, and the additional price of each use. */
import { useState } from 'react';
import { amountOf } from '../../../words/times.ts';
import { Choice } from '../inputs.tsx';
import { clientOf } from '../../../app/client.ts';
import { Field } from '../../../ui/field.tsx';
import { Listed, NextSteps, type NextStep } from '../../../ui/listed.tsx';
import { ProposalForm } from '../../../changes/proposal-form.tsx';
import { RowButton } from '../../../ui/row-button.tsx';
import { typedAmount } from '../../../app/amount.ts';
import { useBusiness } from '../../../app/business.ts';
import { useOfferings, type Offering } from './offerings.ts';
import { usePages } from '../../../app/pages.ts';
import { usePropose } from '../../../changes/change.tsx';
import { words } from '../words.ts';

const useGrants = (membership: number) =>
  usePages('GET /membership_registration_grants', {
    query: { membership, page_size: 100 },
    fields: ['id', 'registration_option.id', 'registration_option.offering_type.name', 'on_allotment_price'],
  });

type Grant = NonNullable<ReturnType<typeof useGrants>['data']>['pages'][number]['results'][number];

const nameOf = ({ registration_option: option }: Grant): string => option?.offering_type?.name ?? '';

export function Grants({ membership }: { readonly membership: number }) {
  const { id: business } = useBusiness();
  const propose = usePropose();
  const list = useGrants(membership);
  const offerings = useOfferings();
  const [doing, setDoing] = useState<'new' | Grant | null>(null);
  const granted = list.data?.pages.flatMap(({ results }) => results) ?? [];
  const free = offerings.filter(({ id }) => !granted.some((grant) => grant.registration_option?.id === id));
  const remove = (grant: Grant): void =>
    void propose({
      title: words.say('grant.end.of', { name: nameOf(grant) }),
      confirm: words.say('delete'),
      done: words.say('grant.ended', { name: nameOf(grant) }),
      about: <p>{words.say('grant.end.about')}</p>,
      call: () => clientOf(business).call('DELETE /membership_registration_grants/{id}', { params: { id: grant.id } }),
    });
  const next: readonly NextStep[] =
    free.length > 0
      ? [{ label: words.say('grant.new'), needs: ['super_admin'], second: true, act: () => setDoing('new') }]
      : [];
  return (
    <>
      <Listed list={list} none={words.say('grants.none')} next={next}>
        {(all) => (
          <ul className="rows">
            {all.map((grant) => (
              <li key={grant.id}>
                <strong>{nameOf(grant)}</strong>
                <span className="soft">
                  {grant.on_allotment_price.decimal > 0
                    ? words.say('grant.price', { amount: amountOf(grant.on_allotment_price) })
                    : words.say('grant.free')}
                </span>
                <span className="end row-actions">
                  <RowButton text={words.say('edit')} about={nameOf(grant)} onClick={() => setDoing(grant)} />
                  <RowButton text={words.say('delete')} about={nameOf(grant)} onClick={() => remove(grant)} />
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
        <GrantForm
          membership={membership}
          grant={doing === 'new' ? undefined : doing}
          free={free}
          onClose={() => setDoing(null)}
        />
      ) : null}
    </>
  );
}

interface GrantFormProps {
  readonly membership: number;
  /** absent for a new one */
  readonly grant: Grant | undefined;
  readonly free: readonly Offering[];
  readonly onClose: () => void;
}

function GrantForm({ membership, grant, free, onClose }: GrantFormProps) {
  const { id: business, currency } = useBusiness();
  const title = grant ? words.say('edit.of', { name: nameOf(grant) }) : words.say('grant.new');
  return (
    <ProposalForm
      title={title}
      onClose={onClose}
      submit={words.say('save')}
      proposal={({ registration_option, on_allotment_price = '' }) => {
        const price = typedAmount(on_allotment_price);
        return {
          title,
          confirm: words.say('save'),
          done: words.say('grant.saved'),
          call: () =>
            grant
              ? clientOf(business).call('PATCH /membership_registration_grants/{id}', {
                  params: { id: grant.id },
                  body: { on_allotment_price: price },
                })
              : clientOf(business).call('POST /membership_registration_grants', {
                  body: { membership, registration_option: Number(registration_option), on_allotment_price: price },
                }),
        };
      }}
    >
      {(errors) => (
        <>
          {grant ? null : (
            <Choice
              name="registration_option"
              label={words.say('grant.for')}
              choices={free.map(({ id, name }) => [id, name])}
              errors={errors('registration_option')}
            />
          )}
          <Field
            label={words.say('grant.price.in', { currency })}
            hint={words.say('grant.price.hint')}
            errors={errors('on_allotment_price')}
          >
            <input
              name="on_allotment_price"
              inputMode="decimal"
              autoComplete="off"
              defaultValue={grant?.on_allotment_price.string ?? '0.00'}
            />
          </Field>
        </>
      )}
    </ProposalForm>
  );
}
