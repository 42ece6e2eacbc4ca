/** The stock of a variant: changing it with a reason, and the history of all changes. */
import { clientOf } from '../../app/client.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Listed } from '../../ui/listed.tsx';
import { momentOf } from '../../words/times.ts';
import { nameOf } from '../../app/customers.ts';
import { ProposalForm } from '../../changes/proposal-form.tsx';
import { useBusiness } from '../../app/business.ts';
import { usePages } from '../../app/pages.ts';
import { words } from './words.ts';
import type { Variant } from './variants.tsx';

const REASONS = ['received', 'correction', 'damaged', 'lost', 'returned'] as const;

interface StockProps {
  readonly variant: Variant;
  readonly onClose: () => void;
}

export function AdjustStock({ variant: { id, name }, onClose }: StockProps) {
  const { id: business } = useBusiness();
  const title = words.say('stock.adjust.of', { name });
  return (
    <ProposalForm
      title={title}
      submit={words.say('stock.adjust')}
      onClose={onClose}
      proposal={({ quantity, reason, note }) => ({
        title,
        confirm: words.say('stock.adjust'),
        done: words.say('stock.adjusted', { name }),
        call: () =>
          clientOf(business).call('POST /store/inventory_adjustments', {
            body: {
              store_product_variant: id,
              quantity: Number(quantity),
              reason: REASONS.find((one) => one === reason) ?? 'correction',
              ...(note && { note }),
            },
          }),
      })}
    >
      {(errors) => (
        <>
          <Field label={words.say('field.reason')} errors={errors('reason')}>
            <select name="reason">
              {REASONS.map((one) => (
                <option key={one} value={one}>
                  {words.say(`reason.${one}`)}
                </option>
              ))}
            </select>
          </Field>
          <Field label={words.say('field.more')} hint={words.say('field.more.hint')} errors={errors('quantity')}>
            <input name="quantity" type="number" step={1} required />
          </Field>
          <Field label={words.say('field.note')} errors={errors('note')}>
            <input name="note" autoComplete="off" />
          </Field>
        </>
      )}
    </ProposalForm>
  );
}

export function StockHistory({ variant: { id, name }, onClose }: StockProps) {
  const { timezone } = useBusiness();
  const list = usePages('GET /store/inventory_adjustments', {
    query: { store_product_variant: [id], page_size: 30 },
    fields: ['id', 'quantity', 'reason', 'note', 'created_at', 'staff.first_name', 'staff.last_name'],
  });
  return (
    <Dialog title={words.say('stock.history.of', { name })} onClose={onClose} side>
      <Listed list={list} none={words.say('stock.history.none')} next={[]}>
        {(all) => (
          <ul className="rows">
            {all.map((one) => (
              <li key={one.id}>
                <span>{momentOf(one.created_at, timezone)}</span>
                <span>{words.say(`reason.${one.reason}`)}</span>
                <span className="soft small">
                  {[one.note, one.staff && nameOf(one.staff)].filter(Boolean).join(' · ')}
                </span>
                <span className="end">{one.quantity > 0 ? `+${one.quantity}` : one.quantity}</span>
              </li>
            ))}
          </ul>
        )}
      </Listed>
    </Dialog>
  );
}
