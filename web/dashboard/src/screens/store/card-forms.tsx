/** The recipient of a gift card, and the customer to whose credit it is redeemed. */
import { clientOf } from '../../app/client.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { FindCustomer } from '../../ui/find-customer.tsx';
import { ProposalForm } from '../../changes/proposal-form.tsx';
import { useBusiness } from '../../app/business.ts';
import { usePropose } from '../../changes/change.tsx';
import { words } from './words.ts';
import type { Card } from './gift-cards.tsx';

interface CardFormProps {
  readonly card: Card;
  /** display name of the gift card */
  readonly name: string;
  readonly onClose: () => void;
}

export function CardForm({ card, name, onClose }: CardFormProps) {
  const { id: business } = useBusiness();
  const title = words.say('edit.of', { name });
  return (
    <ProposalForm
      title={title}
      onClose={onClose}
      submit={words.say('save')}
      proposal={({ recipient_name = '', recipient_email = '', message = '', deliver_on_date }) => ({
        title,
        confirm: words.say('save'),
        done: words.say('saved', { name }),
        call: () =>
          clientOf(business).call('PATCH /gift_cards/{id}', {
            params: { id: card.id },
            body: { recipient_name, recipient_email, message, ...(deliver_on_date && { deliver_on_date }) },
          }),
      })}
    >
      {(errors) => (
        <>
          <Field label={words.say('card.recipient')} errors={errors('recipient_name')}>
            <input name="recipient_name" autoComplete="off" defaultValue={card.recipient_name} />
          </Field>
          <Field label={words.say('card.email')} hint={words.say('card.email.hint')} errors={errors('recipient_email')}>
            <input name="recipient_email" type="email" autoComplete="off" defaultValue={card.recipient_email} />
          </Field>
          <Field label={words.say('card.message')} errors={errors('message')}>
            <textarea name="message" rows={3} maxLength={500} defaultValue={card.message} />
          </Field>
          {card.is_delivered ? null : (
            <Field label={words.say('card.day')} errors={errors('deliver_on_date')}>
              <input name="deliver_on_date" type="date" defaultValue={card.deliver_on_date} />
            </Field>
          )}
        </>
      )}
    </ProposalForm>
  );
}

export function RedeemCard({ card, name, onClose }: CardFormProps) {
  const { id: business } = useBusiness();
  const propose = usePropose();
  const redeem = async (customer: number, whose: string): Promise<void> => {
    const outcome = await propose({
      title: words.say('card.redeem.for', { name: whose }),
      done: words.say('card.redeem.done', { name: whose }),
      grave: true,
      call: () =>
        clientOf(business).call('POST /gift_cards/{id}/redeem', { params: { id: card.id }, body: { customer } }),
    });
    if (outcome.made) onClose();
  };
  return (
    <Dialog title={words.say('do.of', { what: words.say('card.redeem'), name })} onClose={onClose}>
      <p>{words.say('card.redeem.hint')}</p>
      <label htmlFor="redeem">{words.say('card.redeem.whose')}</label>
      <FindCustomer
        id="redeem"
        label={words.say('card.redeem.whose')}
        onChoose={({ id, label }) => void redeem(id, label)}
      />
    </Dialog>
  );
}
