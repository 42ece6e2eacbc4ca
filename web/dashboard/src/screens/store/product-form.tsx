/** The form of a new or existing product. A new one is created with its first variant. */
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
import { PRODUCT_FIELDS, type ProductRead } from './read.ts';

interface Opened {
  /** absent for a new one */
  readonly value?: ProductRead;
  readonly etag: string | null;
}

export interface ProductFormProps {
  readonly onClose: () => void;
  readonly onMade?: (id: number) => void;
}

/** The form of an existing product begins with its current values. */
export function EditProduct({ id, name, ...props }: ProductFormProps & { readonly id: number; readonly name: string }) {
  const found = useVersioned('GET /store/products/{id}', { params: { id }, fields: PRODUCT_FIELDS });
  if (found.data) return <Form {...props} first={found.data} refetch={found.refetch} />;
  return (
    <Dialog title={words.say('edit.of', { name })} onClose={props.onClose}>
      {found.error ? <Failed error={found.error} again={() => void found.refetch()} /> : <Loading />}
    </Dialog>
  );
}

const NEW: Opened = { etag: null };

export const NewProduct = (props: ProductFormProps) => <Form {...props} first={NEW} />;

const METHODS = ['pickup', 'delivery'] as const;

interface FormProps extends ProductFormProps {
  readonly first: Opened;
  readonly refetch?: () => Promise<{ readonly data: Opened | undefined }>;
}

function Form({ first, refetch, onClose, onMade }: FormProps) {
  const { id: business, currency } = useBusiness();
  const { opened, readAgain } = useFormVersion(first, refetch);
  const { value: product, etag: version } = opened;
  const title = product ? words.say('edit.of', { name: product.name }) : words.say('product.new');
  return (
    <ProposalForm<{ readonly id: number }>
      title={title}
      submit={words.say(product ? 'save' : 'product.add')}
      readAgain={readAgain}
      onClose={onClose}
      onMade={({ id }) => {
        onClose();
        onMade?.(id);
      }}
      proposal={(typed) => {
        const { name = '', description, category, price = '', order } = typed;
        const body = {
          name,
          description: description || null,
          category: category || null,
          price: typedAmount(price),
          order: order ? Number(order) : null,
          for_sale: typed.for_sale !== undefined,
          visible_to_customers: typed.visible_to_customers !== undefined,
          images: picturesIn(typed, 'images').map(Number),
          delivery_methods: METHODS.filter((one) => typed[one] !== undefined),
        };
        return {
          title,
          confirm: words.say(product ? 'save' : 'product.add'),
          done: words.say('saved', { name }),
          call: () =>
            product
              ? clientOf(business).call('PATCH /store/products/{id}', {
                  params: { id: product.id },
                  body,
                  ...(version && { ifMatch: version }),
                  fields: PRODUCT_FIELDS,
                })
              : clientOf(business).call('POST /store/products', {
                  body: {
                    ...body,
                    sku: typed.sku || null,
                    barcode: typed.barcode || null,
                    track_stock: typed.track_stock !== undefined,
                  },
                  fields: PRODUCT_FIELDS,
                }),
        };
      }}
    >
      {(errors) => (
        <>
          <Field label={words.say('field.name')} errors={errors('name')}>
            <input name="name" autoComplete="off" required defaultValue={product?.name} />
          </Field>
          <Field
            label={words.say('field.price', { currency })}
            hint={words.say('field.price.hint')}
            errors={errors('price')}
          >
            <input name="price" inputMode="decimal" autoComplete="off" required defaultValue={product?.price.string} />
          </Field>
          <Field
            label={words.say('field.category')}
            hint={words.say('field.category.hint')}
            errors={errors('category')}
          >
            <input name="category" autoComplete="off" defaultValue={product?.category ?? ''} />
          </Field>
          <Field label={words.say('field.description')} errors={errors('description')}>
            <textarea name="description" rows={3} defaultValue={product?.description ?? ''} />
          </Field>
          <Pictures
            name="images"
            label={words.say('field.pictures')}
            hint={words.say('field.pictures.hint')}
            first={product?.images.map(({ id }) => String(id)) ?? []}
            errors={errors('images')}
          />
          {product ? null : (
            <>
              <Field label={words.say('field.sku')} errors={errors('sku')}>
                <input name="sku" autoComplete="off" />
              </Field>
              <Field
                label={words.say('field.barcode')}
                hint={words.say('field.barcode.hint')}
                errors={errors('barcode')}
              >
                <input name="barcode" autoComplete="off" />
              </Field>
              <label className="box">
                <input type="checkbox" name="track_stock" defaultChecked /> {words.say('field.track_stock')}
              </label>
            </>
          )}
          <fieldset>
            <legend>{words.say('field.delivery')}</legend>
            {METHODS.map((one) => (
              <label key={one} className="box">
                <input
                  type="checkbox"
                  name={one}
                  defaultChecked={product ? product.delivery_methods.includes(one) : one === 'pickup'}
                />{' '}
                {words.say(`delivery.${one}`)}
              </label>
            ))}
            {errors('delivery_methods').length > 0 ? (
              <p className="error">{errors('delivery_methods').join(' ')}</p>
            ) : null}
          </fieldset>
          <label className="box">
            <input type="checkbox" name="for_sale" defaultChecked={product?.for_sale ?? true} />{' '}
            {words.say('products.for_sale')}
          </label>
          <label className="box">
            <input type="checkbox" name="visible_to_customers" defaultChecked={product?.visible_to_customers ?? true} />{' '}
            {words.say('field.visible')}
          </label>
          <Field label={words.say('field.order')} hint={words.say('field.order.hint')} errors={errors('order')}>
            <input name="order" type="number" min={0} defaultValue={product?.order ?? ''} />
          </Field>
        </>
      )}
    </ProposalForm>
  );
}
