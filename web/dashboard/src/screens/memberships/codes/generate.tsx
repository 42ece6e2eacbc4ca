/** Generates many codes in one call, each for one person: they differ only in the code itself. */
import { clientOf } from '../../../app/client.ts';
import { codeBody, CodeFields } from './fields.tsx';
import { Field } from '../../../ui/field.tsx';
import { ProposalForm } from '../../../changes/proposal-form.tsx';
import { useAddress } from '../../../app/address.ts';
import { useBusiness } from '../../../app/business.ts';
import { words } from '../words.ts';

export function Generate({ onClose }: { readonly onClose: () => void }) {
  const { id: business } = useBusiness();
  const [, change] = useAddress();
  const title = words.say('codes.generate');
  return (
    <ProposalForm<{ readonly group: { readonly id: number } | null }>
      title={title}
      onClose={onClose}
      onMade={({ group }) => {
        onClose();
        change({ group: group ? String(group.id) : undefined, query: undefined, status: undefined });
      }}
      proposal={(typed) => ({
        title: words.say('codes.generate.n', { n: Number(typed.count) }),
        confirm: words.say('codes.create'),
        done: words.say('codes.generated', { n: Number(typed.count) }),
        about: <p>{words.say('codes.generate.about')}</p>,
        call: () =>
          clientOf(business).call('POST /discount_codes/bulk_generate', {
            body: {
              ...codeBody(typed),
              code: typed.code ?? '',
              count: Number(typed.count),
              group: { name: typed.group ?? '' },
            },
            fields: ['id', 'group'],
          }),
      })}
    >
      {(errors) => (
        <>
          <Field label={words.say('codes.count')} errors={errors('count')}>
            <input name="count" type="number" min={1} max={1000} required defaultValue={20} />
          </Field>
          <Field label={words.say('codes.prefix')} hint={words.say('codes.prefix.hint')} errors={errors('code')}>
            <input name="code" autoComplete="off" maxLength={11} required />
          </Field>
          <Field
            label={words.say('group')}
            hint={words.say('group.hint')}
            errors={[...errors('group'), ...errors('group.name')]}
          >
            <input name="group" autoComplete="off" maxLength={100} required />
          </Field>
          <CodeFields errors={errors} />
        </>
      )}
    </ProposalForm>
  );
}
