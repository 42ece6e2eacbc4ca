/** One discount code. The code itself never changes: it may be printed. */
import { clientOf } from '../../../app/client.ts';
import { codeBody, CodeFields } from './fields.tsx';
import { Field } from '../../../ui/field.tsx';
import { ProposalForm } from '../../../changes/proposal-form.tsx';
import { useBusiness } from '../../../app/business.ts';
import { words } from '../words.ts';
import type { CodeRead } from './read.ts';

export interface CodeFormProps {
  /** absent for a new one */
  readonly code?: CodeRead;
  readonly onClose: () => void;
}

export function CodeForm({ code, onClose }: CodeFormProps) {
  const { id: business } = useBusiness();
  const title = code ? words.say('edit.of', { name: code.code }) : words.say('code.new');
  return (
    <ProposalForm
      title={title}
      onClose={onClose}
      submit={words.say('save')}
      proposal={(typed) => {
        const group = typed.group ? { name: typed.group } : null;
        const body = { ...codeBody(typed), group };
        return {
          title,
          confirm: words.say('save'),
          done: words.say('saved', { name: code?.code ?? typed.code ?? '' }),
          call: () =>
            code
              ? clientOf(business).call('PATCH /discount_codes/{id}', { params: { id: code.id }, body })
              : clientOf(business).call('POST /discount_codes', { body: { ...body, code: typed.code ?? '' } }),
        };
      }}
    >
      {(errors) => (
        <>
          {code ? null : (
            <Field label={words.say('code')} hint={words.say('code.hint')} errors={errors('code')}>
              <input name="code" autoComplete="off" maxLength={20} required />
            </Field>
          )}
          <CodeFields code={code} errors={errors} />
          <Field label={words.say('group')} hint={words.say('group.hint')} errors={errors('group')}>
            <input name="group" autoComplete="off" maxLength={100} defaultValue={code?.group?.name ?? ''} />
          </Field>
        </>
      )}
    </ProposalForm>
  );
}
