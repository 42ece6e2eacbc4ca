/** Gives a customer a membership without a checkout: a gift, or one that was sold elsewhere. */
import { useState } from 'react';
import { clientOf } from '../app/client.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { FindCustomer } from '../ui/find-customer.tsx';
import { ProductFields, productOf } from './product.tsx';
import { ProposalForm } from '../changes/proposal-form.tsx';
import { useBusiness } from '../app/business.ts';
import { words } from './words.ts';

interface Whom {
  readonly id: number;
  readonly label: string;
}

export interface GiveProps {
  /** absent: the form asks for the customer */
  readonly customer?: Whom;
  /** id of the membership; absent: chosen from those on sale */
  readonly membership?: number;
  readonly onClose: () => void;
}

export function Give({ customer, membership, onClose }: GiveProps) {
  const { id: business } = useBusiness();
  const [whom, setWhom] = useState<Whom | null>(customer ?? null);
  const [isRecurring, setIsRecurring] = useState(false);
  if (whom === null)
    return (
      <Dialog title={words.say('do.give')} onClose={onClose}>
        <label htmlFor="give">{words.say('give.whom')}</label>
        <FindCustomer id="give" label={words.say('give.whom')} onChoose={setWhom} autoFocus />
      </Dialog>
    );
  const title = words.say('do.give.to', { name: whom.label });
  return (
    <ProposalForm
      title={title}
      onClose={onClose}
      proposal={(typed) => {
        const { price, ...product } = productOf(typed);
        return {
          title,
          confirm: words.say('do.give'),
          done: words.say('give.done', { name: whom.label }),
          call: () =>
            clientOf(business).call('POST /customer_memberships', {
              body: {
                ...product,
                customer: whom.id,
                ...(price && { billed_price: price }),
                start_date: typed.start_date || null,
                expiration_date: typed.expiration_date || null,
                bill_first_period: typed.bill_first_period !== undefined,
              },
            }),
        };
      }}
    >
      {(errors) => (
        <>
          <p>{words.say('give.about')}</p>
          <ProductFields errors={errors} only={membership} onRecurring={setIsRecurring} />
          <Field
            label={words.say('field.start_date')}
            hint={words.say('give.start.hint')}
            errors={errors('start_date')}
          >
            <input name="start_date" type="date" />
          </Field>
          <Field
            label={words.say('give.last_day')}
            hint={words.say('give.last_day.hint')}
            errors={errors('expiration_date')}
          >
            <input name="expiration_date" type="date" />
          </Field>
          {isRecurring ? (
            <label className="box">
              <input type="checkbox" name="bill_first_period" /> {words.say('give.bill')}
            </label>
          ) : null}
        </>
      )}
    </ProposalForm>
  );
}
