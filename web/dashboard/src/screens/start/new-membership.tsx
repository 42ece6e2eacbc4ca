/** Creates a pack of visits for the offerings of the business: its category, the pack, its allotment and its grants. */
import { typedAmount } from '../../app/amount.ts';
import { useState } from 'react';
import { clientOf } from '../../app/client.ts';
import { Field } from '../../ui/field.tsx';
import { Many, type One } from '../../changes/many.tsx';
import { ProposalForm } from '../../changes/proposal-form.tsx';
import { useBusiness } from '../../app/business.ts';
import { useCall } from '../../app/calls.ts';
import { usePropose } from '../../changes/change.tsx';
import { words } from './words.ts';
import type { FormProps } from './forms.tsx';

export function NewMembership({ onClose }: FormProps) {
  const { id: business } = useBusiness();
  const categories = useCall('GET /membership_categories', { query: { page_size: 100 }, fields: ['id', 'name'] });
  const options = useCall('GET /registration_options', {
    query: { page_size: 100 },
    fields: ['id', 'type', 'offering_type.name'],
  });
  const propose = usePropose();
  const [made, setMade] = useState<number | null>(null);
  const [uses, setUses] = useState('10');
  if (!categories.data || !options.data) return null;
  if (made !== null) {
    const grants: One[] = options.data.results
      .filter(({ type }) => type === 'offering_type')
      .map(({ id, offering_type }) => ({
        key: id,
        label: offering_type?.name ?? '',
        call: () =>
          clientOf(business).call('POST /membership_registration_grants', {
            body: { membership: made, registration_option: id, on_allotment_price: '0.00' },
          }),
      }));
    return <Many title={words.say('grant')} all={grants} onClose={onClose} />;
  }
  if (categories.data.results.length === 0) {
    return (
      <ProposalForm
        title={words.say('category.new')}
        onClose={onClose}
        onMade={() => void categories.refetch()}
        proposal={({ name = '' }) => ({
          title: words.say('add', { name }),
          done: words.say('added', { name }),
          call: () => clientOf(business).call('POST /membership_categories', { body: { name } }),
        })}
      >
        {(errors) => (
          <Field label={words.say('name')} hint={words.say('category.hint')} errors={errors('name')}>
            <input name="name" defaultValue={words.say('category.usual')} autoComplete="off" required />
          </Field>
        )}
      </ProposalForm>
    );
  }
  const limit = async (id: number): Promise<void> => {
    const limited = await propose({
      title: words.say('uses.set', { n: Number(uses) }),
      done: words.say('uses.done', { n: Number(uses) }),
      call: () =>
        clientOf(business).call('PUT /memberships/{id}/allotment', {
          params: { id },
          body: {
            types: ['event'],
            period_limits: [{ period: 'total', type: 'limited', max_uses: Number(uses), offering_type_limits: [] }],
          },
        }),
    });
    if (limited.made) setMade(id);
    else onClose();
  };
  return (
    <ProposalForm<{ readonly id: number }>
      title={words.say('do.membership')}
      onClose={onClose}
      onMade={({ id }) => void limit(id)}
      proposal={({ name = '', category, one_time_fee = '', duration, max_uses = '10' }) => {
        setUses(max_uses);
        return {
          title: words.say('add', { name }),
          done: words.say('added', { name }),
          call: () =>
            clientOf(business).call('POST /memberships', {
              body: {
                type: 'pack',
                name,
                category: Number(category),
                one_time_fee: typedAmount(one_time_fee),
                allow_repeat_purchases: true,
                visible_to_customers: true,
                purchasable_only_by_provider: false,
                new_customers_only: false,
                for_sale: true,
                ...(duration && { duration: Number(duration), duration_unit: 'months' as const }),
              },
            }),
        };
      }}
    >
      {(errors) => (
        <>
          <Field label={words.say('name')} errors={errors('name')}>
            <input name="name" autoComplete="off" required />
          </Field>
          <Field label={words.say('category')} errors={errors('category')}>
            <select name="category">
              {categories.data.results.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </Field>
          <Field label={words.say('price')} errors={errors('one_time_fee')}>
            <input name="one_time_fee" inputMode="decimal" autoComplete="off" required />
          </Field>
          <Field label={words.say('uses')} errors={errors('max_uses')}>
            <input name="max_uses" type="number" min={1} max={1000} defaultValue="10" required />
          </Field>
          <Field label={words.say('duration')} hint={words.say('duration.hint')} errors={errors('duration')}>
            <input name="duration" type="number" min={1} max={120} />
          </Field>
        </>
      )}
    </ProposalForm>
  );
}
