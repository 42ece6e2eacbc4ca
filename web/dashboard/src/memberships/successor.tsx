/** Replaces a customer's membership with another: now, with the remaining value credited, or when it ends. */
import { clientOf } from '../app/client.ts';
import { Effects } from '../changes/effects.tsx';
import { minorAmountOf } from '../words/times.ts';
import { ProductFields, productOf } from './product.tsx';
import { ProposalForm } from '../changes/proposal-form.tsx';
import { useBusiness } from '../app/business.ts';
import { words } from './words.ts';

export interface SuccessorProps {
  readonly kind: 'upgrade' | 'downgrade';
  readonly one: { readonly id: number; readonly name: string };
  readonly onClose: () => void;
}

export function Successor({ kind, one, onClose }: SuccessorProps) {
  const { id: business, currency } = useBusiness();
  const title = words.say(`do.${kind}.of`, { name: one.name });
  const asked = { params: { id: one.id } };
  return (
    <ProposalForm
      title={title}
      onClose={onClose}
      proposal={(typed) => ({
        title,
        confirm: words.say(`do.${kind}`),
        done: words.say(`${kind}.done`, { name: one.name }),
        call: () =>
          kind === 'upgrade'
            ? clientOf(business).call('POST /customer_memberships/{id}/upgrade', { ...asked, body: productOf(typed) })
            : clientOf(business).call('POST /customer_memberships/{id}/downgrade', {
                ...asked,
                body: productOf(typed),
              }),
        describe: ({ effects }) => {
          const credit = effects.find(({ effect }) => effect === 'membership_upgraded')?.detail.credit_minor;
          return (
            <>
              {typeof credit === 'number' ? (
                <p>{words.say('upgrade.credit', { amount: minorAmountOf(credit, currency) })}</p>
              ) : null}
              <Effects effects={effects} />
            </>
          );
        },
      })}
    >
      {(errors) => (
        <>
          <p>{words.say(`${kind}.about`)}</p>
          <ProductFields errors={errors} />
        </>
      )}
    </ProposalForm>
  );
}
