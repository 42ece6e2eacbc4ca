/** Undoes a cancellation, or continues a membership that has ended. */
import { clientOf } from '../app/client.ts';
import { Field } from '../ui/field.tsx';
import { ProposalForm } from '../changes/proposal-form.tsx';
import { useBusiness } from '../app/business.ts';
import { words } from './words.ts';

export interface ReactivateProps {
  readonly one: { readonly id: number; readonly name: string };
  /** true if it needs a new last day */
  readonly hasEnded: boolean;
  readonly onClose: () => void;
}

export function Reactivate({ one, hasEnded, onClose }: ReactivateProps) {
  const { id: business } = useBusiness();
  const title = words.say('do.reactivate.of', { name: one.name });
  return (
    <ProposalForm
      title={title}
      onClose={onClose}
      proposal={({ expiration_date }) => ({
        title,
        confirm: words.say('do.reactivate'),
        done: words.say('reactivate.done', { name: one.name }),
        call: () =>
          clientOf(business).call('POST /customer_memberships/{id}/reactivate', {
            params: { id: one.id },
            body: hasEnded ? { expiration_date: expiration_date || null } : {},
          }),
      })}
    >
      {(errors) =>
        hasEnded ? (
          <Field
            label={words.say('reactivate.until')}
            hint={words.say('reactivate.until.hint')}
            errors={errors('expiration_date')}
          >
            <input name="expiration_date" type="date" />
          </Field>
        ) : (
          <p>{words.say('reactivate.about')}</p>
        )
      }
    </ProposalForm>
  );
}
