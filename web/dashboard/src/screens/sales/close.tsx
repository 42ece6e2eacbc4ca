/** Closes the books of past days, and reopens the last period. */
import { calendarDayOf } from '../../words/times.ts';
import { clientOf } from '../../app/client.ts';
import { Field } from '../../ui/field.tsx';
import { ProposalForm } from '../../changes/proposal-form.tsx';
import { useBusiness } from '../../app/business.ts';
import { words } from './words.ts';

export interface CloseBooksProps {
  /** suggested last day, YYYY-MM-DD, which can be changed */
  readonly through: string;
  readonly onClose: () => void;
}

export function CloseBooks({ through, onClose }: CloseBooksProps) {
  const { id: business } = useBusiness();
  return (
    <ProposalForm
      title={words.say('close')}
      onClose={onClose}
      proposal={({ through: day = '' }) => ({
        title: words.say('close'),
        done: words.say('close.done'),
        call: () => clientOf(business).call('POST /accounting_periods/close', { body: { through: day } }),
      })}
    >
      {(errors) => (
        <Field label={words.say('close.through')} hint={words.say('close.hint')} errors={errors('through')}>
          <input name="through" type="date" defaultValue={through} autoFocus />
        </Field>
      )}
    </ProposalForm>
  );
}

export interface ReopenProps {
  readonly period: { readonly id: number; readonly end: string };
  readonly onClose: () => void;
}

export function Reopen({ period: { id, end }, onClose }: ReopenProps) {
  const { id: business } = useBusiness();
  const title = words.say('reopen.of', { day: calendarDayOf(end) });
  return (
    <ProposalForm
      title={title}
      onClose={onClose}
      proposal={({ reason = '' }) => ({
        title,
        confirm: words.say('reopen'),
        done: words.say('reopen.done'),
        grave: true,
        call: () =>
          clientOf(business).call('POST /accounting_periods/{id}/reopen', { params: { id }, body: { reason } }),
      })}
    >
      {(errors) => (
        <Field label={words.say('reason')} hint={words.say('reopen.hint')} errors={errors('reason')}>
          <input name="reason" autoComplete="off" autoFocus />
        </Field>
      )}
    </ProposalForm>
  );
}
