/** The categories under which memberships are sold. */
import { useState } from 'react';
import { clientOf } from '../../../app/client.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Failed, Loading } from '../../../ui/states.tsx';
import { Field } from '../../../ui/field.tsx';
import { ProposalForm } from '../../../changes/proposal-form.tsx';
import { Reorder } from '../../../changes/reorder.tsx';
import { RowButton } from '../../../ui/row-button.tsx';
import { None } from '../../../ui/listed.tsx';
import { useBusiness } from '../../../app/business.ts';
import { useCategories } from './read.ts';
import { usePropose } from '../../../changes/change.tsx';
import { words } from '../words.ts';

interface Category {
  readonly id: number;
  readonly name: string;
}

export function Categories({ onClose }: { readonly onClose: () => void }) {
  const { id: business } = useBusiness();
  const propose = usePropose();
  const { data, error, refetch } = useCategories();
  const [doing, setDoing] = useState<'new' | 'order' | Category | null>(null);
  const close = (): void => setDoing(null);
  const remove = ({ id, name }: Category): void =>
    void propose({
      title: words.say('delete.of', { name }),
      confirm: words.say('delete'),
      done: words.say('deleted', { name }),
      grave: true,
      call: () => clientOf(business).call('DELETE /membership_categories/{id}', { params: { id } }),
    });
  if (data && doing === 'order')
    return (
      <Reorder
        title={words.say('categories.order')}
        all={data.results}
        done={words.say('order.saved')}
        call={(ordering) => clientOf(business).call('PATCH /membership_categories/ordering', { body: { ordering } })}
        onClose={close}
      />
    );
  if (doing !== null && doing !== 'order')
    return <CategoryForm category={doing === 'new' ? undefined : doing} onClose={close} />;
  return (
    <Dialog title={words.say('categories')} onClose={onClose}>
      {error ? <Failed error={error} again={() => void refetch()} /> : null}
      {!data && !error ? <Loading /> : null}
      {data?.results.length === 0 ? <None text={words.say('categories.first')} /> : null}
      <ul className="rows" aria-label={words.say('categories')}>
        {data?.results.map((one) => (
          <li key={one.id}>
            <span>{one.name}</span>
            <span className="end row-actions">
              <RowButton text={words.say('edit')} about={one.name} onClick={() => setDoing(one)} />
              <RowButton text={words.say('delete')} about={one.name} onClick={() => remove(one)} />
            </span>
          </li>
        ))}
      </ul>
      <div className="actions">
        <button type="button" onClick={() => setDoing('new')}>
          {words.say('category.new')}
        </button>
        <button type="button" className="second" onClick={() => setDoing('order')}>
          {words.say('categories.order')}
        </button>
      </div>
    </Dialog>
  );
}

interface CategoryFormProps {
  /** absent for a new one */
  readonly category?: Category;
  readonly onClose: () => void;
}

export function CategoryForm({ category, onClose }: CategoryFormProps) {
  const { id: business } = useBusiness();
  const title = category ? words.say('edit.of', { name: category.name }) : words.say('category.new');
  return (
    <ProposalForm
      title={title}
      onClose={onClose}
      submit={words.say('save')}
      proposal={({ name = '' }) => ({
        title,
        confirm: words.say('save'),
        done: words.say('saved', { name }),
        call: () =>
          category
            ? clientOf(business).call('PATCH /membership_categories/{id}', {
                params: { id: category.id },
                body: { name },
              })
            : clientOf(business).call('POST /membership_categories', { body: { name } }),
      })}
    >
      {(errors) => (
        <Field label={words.say('name')} hint={words.say('category.hint')} errors={errors('name')}>
          <input name="name" autoComplete="off" required defaultValue={category?.name} />
        </Field>
      )}
    </ProposalForm>
  );
}
