/** An attribute that distinguishes the variants of a product, such as size, and its possible values. */
import { clientOf } from '../../app/client.ts';
import { Field } from '../../ui/field.tsx';
import { ProposalForm } from '../../changes/proposal-form.tsx';
import { useBusiness } from '../../app/business.ts';
import { usePropose } from '../../changes/change.tsx';
import { words } from './words.ts';
import type { Attribute, ProductRead } from './read.ts';

export interface AttributeFormProps {
  readonly product: ProductRead;
  /** absent for a new one */
  readonly attribute?: Attribute;
  readonly onClose: () => void;
}

export function AttributeForm({ product, attribute, onClose }: AttributeFormProps) {
  const { id: business } = useBusiness();
  const propose = usePropose();
  const title = attribute ? words.say('edit.of', { name: attribute.name }) : words.say('attribute.new');
  const remove = async ({ id, name }: Attribute): Promise<void> => {
    const outcome = await propose({
      title: words.say('delete.of', { name }),
      confirm: words.say('delete'),
      done: words.say('deleted', { name }),
      grave: true,
      call: () => clientOf(business).call('DELETE /store/product_attributes/{id}', { params: { id } }),
    });
    if (outcome.made) onClose();
  };
  return (
    <ProposalForm
      title={title}
      onClose={onClose}
      submit={words.say('save')}
      proposal={({ name = '', values = '' }) => {
        const body = {
          name,
          values: values
            .split(',')
            .map((one) => one.trim())
            .filter(Boolean),
        };
        return {
          title,
          confirm: words.say('save'),
          done: words.say('saved', { name }),
          call: () =>
            attribute
              ? clientOf(business).call('PATCH /store/product_attributes/{id}', { params: { id: attribute.id }, body })
              : clientOf(business).call('POST /store/product_attributes', {
                  body: { ...body, store_product: product.id },
                }),
        };
      }}
    >
      {(errors) => (
        <>
          <Field label={words.say('field.name')} hint={words.say('attribute.hint')} errors={errors('name')}>
            <input name="name" autoComplete="off" required defaultValue={attribute?.name} />
          </Field>
          <Field label={words.say('field.values')} hint={words.say('field.values.hint')} errors={errors('values')}>
            <input name="values" autoComplete="off" required defaultValue={attribute?.values.join(', ')} />
          </Field>
          {attribute ? (
            <p>
              <button type="button" className="plain" onClick={() => void remove(attribute)}>
                {words.say('delete.of', { name: attribute.name })}
              </button>
            </p>
          ) : null}
        </>
      )}
    </ProposalForm>
  );
}
