/** The form of a new or existing variant of a product. */
import { clientOf } from '../../app/client.ts';
import { Field } from '../../ui/field.tsx';
import { Pictures, picturesIn } from '../../ui/pictures.tsx';
import { ProposalForm } from '../../changes/proposal-form.tsx';
import { typedAmount } from '../../app/amount.ts';
import { useBusiness } from '../../app/business.ts';
import { words } from './words.ts';
import type { ProductRead } from './read.ts';
import type { Variant } from './variants.tsx';

export interface VariantFormProps {
  readonly product: ProductRead;
  /** absent for a new one */
  readonly variant?: Variant;
  readonly onClose: () => void;
}

export function VariantForm({ product, variant, onClose }: VariantFormProps) {
  const { id: business, currency } = useBusiness();
  const title = variant ? words.say('edit.of', { name: variant.name }) : words.say('variant.new');
  const valueOf = (attribute: number): string =>
    variant?.attribute_values.find((one) => one.store_product_attribute === attribute)?.value ?? '';
  return (
    <ProposalForm
      title={title}
      onClose={onClose}
      proposal={(typed) => {
        const body = {
          sku: typed.sku || null,
          barcode: typed.barcode || null,
          price_override: typed.price_override ? typedAmount(typed.price_override) : null,
          images: picturesIn(typed, 'images').map(Number),
          for_sale: typed.for_sale !== undefined,
          track_stock: typed.track_stock !== undefined,
          low_stock_threshold: typed.low_stock_threshold ? Number(typed.low_stock_threshold) : null,
          attribute_values: product.attributes.flatMap(({ id }) => {
            const value = typed[`attribute ${id}`];
            return value ? [{ store_product_attribute: id, value }] : [];
          }),
        };
        return {
          title,
          confirm: words.say(variant ? 'save' : 'variant.add'),
          done: words.say('saved', { name: variant?.name ?? product.name }),
          call: () =>
            variant
              ? clientOf(business).call('PATCH /store/product_variants/{id}', { params: { id: variant.id }, body })
              : clientOf(business).call('POST /store/product_variants', {
                  body: { ...body, store_product: product.id },
                }),
        };
      }}
    >
      {(errors) => (
        <>
          {product.attributes.map(({ id, name, values }) => (
            <Field key={id} label={name}>
              <select name={`attribute ${id}`} defaultValue={valueOf(id)}>
                <option value="">{words.say('field.value.none')}</option>
                {values.map((value) => (
                  <option key={value}>{value}</option>
                ))}
              </select>
            </Field>
          ))}
          {errors('attribute_values').length > 0 ? (
            <p className="error">{errors('attribute_values').join(' ')}</p>
          ) : null}
          <Field
            label={words.say('field.price_override', { currency })}
            hint={words.say('field.price_override.hint')}
            errors={errors('price_override')}
          >
            <input
              name="price_override"
              inputMode="decimal"
              autoComplete="off"
              defaultValue={variant?.price_override?.string ?? ''}
            />
          </Field>
          <Field label={words.say('field.sku')} errors={errors('sku')}>
            <input name="sku" autoComplete="off" defaultValue={variant?.sku ?? ''} />
          </Field>
          <Field label={words.say('field.barcode')} hint={words.say('field.barcode.hint')} errors={errors('barcode')}>
            <input name="barcode" autoComplete="off" defaultValue={variant?.barcode ?? ''} />
          </Field>
          <Pictures
            name="images"
            label={words.say('field.pictures')}
            hint={words.say('field.pictures.variant')}
            first={variant?.images.map(({ id }) => String(id)) ?? []}
            errors={errors('images')}
          />
          <label className="box">
            <input type="checkbox" name="for_sale" defaultChecked={variant?.for_sale ?? true} />{' '}
            {words.say('products.for_sale')}
          </label>
          <label className="box">
            <input type="checkbox" name="track_stock" defaultChecked={variant?.track_stock ?? true} />{' '}
            {words.say('field.track_stock')}
          </label>
          <Field
            label={words.say('field.low')}
            hint={words.say('field.low.hint')}
            errors={errors('low_stock_threshold')}
          >
            <input name="low_stock_threshold" type="number" min={0} defaultValue={variant?.low_stock_threshold ?? ''} />
          </Field>
        </>
      )}
    </ProposalForm>
  );
}
