/** The form of a new or existing variant of a product. */
import { clientOf } from '../../app/client.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { Field } from '../../ui/field.tsx';
import { Pictures, picturesIn } from '../../ui/pictures.tsx';
import { ProposalForm } from '../../changes/proposal-form.tsx';
import { typedAmount } from '../../app/amount.ts';
import { useBusiness } from '../../app/business.ts';
import { useFormVersion, useVersioned } from '../../app/versioned.ts';
import { words } from './words.ts';
import type { ItemOf } from 'rollcall-sdk';
import type { ProductRead } from './read.ts';

/** A change names the same fields, since the version is that of the fields that were read. */
const FIELDS = [
  'id',
  'name',
  'sku',
  'barcode',
  'price_override',
  'for_sale',
  'attribute_values',
  'images.id',
  'track_stock',
  'low_stock_threshold',
] as const;

type Edited = ItemOf<'GET /store/product_variants', (typeof FIELDS)[number]>;

interface Opened {
  /** absent for a new one */
  readonly value?: Edited;
  readonly etag: string | null;
}

export interface VariantFormProps {
  readonly product: ProductRead;
  readonly onClose: () => void;
}

export function EditVariant({ id, name, ...props }: VariantFormProps & { readonly id: number; readonly name: string }) {
  const found = useVersioned('GET /store/product_variants/{id}', { params: { id }, fields: FIELDS });
  if (found.data) return <Form {...props} first={found.data} refetch={found.refetch} />;
  return (
    <Dialog title={words.say('edit.of', { name })} onClose={props.onClose}>
      {found.error ? <Failed error={found.error} again={() => void found.refetch()} /> : <Loading />}
    </Dialog>
  );
}

export const NewVariant = (props: VariantFormProps) => <Form {...props} first={NEW} />;

const NEW: Opened = { etag: null };

interface FormProps extends VariantFormProps {
  readonly first: Opened;
  readonly refetch?: () => Promise<{ readonly data: Opened | undefined }>;
}

function Form({ product, first, refetch, onClose }: FormProps) {
  const { id: business, currency } = useBusiness();
  const { opened, readAgain } = useFormVersion(first, refetch);
  const { value: variant, etag } = opened;
  const title = variant ? words.say('edit.of', { name: variant.name }) : words.say('variant.new');
  const valueOf = (attribute: number): string =>
    variant?.attribute_values.find((one) => one.store_product_attribute === attribute)?.value ?? '';
  return (
    <ProposalForm
      title={title}
      submit={words.say(variant ? 'save' : 'variant.add')}
      onClose={onClose}
      readAgain={readAgain}
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
              ? clientOf(business).call('PATCH /store/product_variants/{id}', {
                  params: { id: variant.id },
                  body,
                  ...(etag && { ifMatch: etag }),
                  fields: FIELDS,
                })
              : clientOf(business).call('POST /store/product_variants', {
                  body: { ...body, store_product: product.id },
                  fields: FIELDS,
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
