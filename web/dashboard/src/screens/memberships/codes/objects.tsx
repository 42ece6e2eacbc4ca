/** The individual objects that a code can or can't be used for, in addition to its kinds of purchases. */
import { useState } from 'react';
import { Choice } from '../inputs.tsx';
import { clientOf } from '../../../app/client.ts';
import { dateAt } from '../../../words/times.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { useKinds, useNames, useThings, type Kind } from './subjects.ts';
import { Listed } from '../../../ui/listed.tsx';
import { oneOf } from '../typed.ts';
import { ProposalFields } from '../../../changes/proposal-form.tsx';
import { RowButton } from '../../../ui/row-button.tsx';
import { useBusiness } from '../../../app/business.ts';
import { usePages } from '../../../app/pages.ts';
import { usePropose } from '../../../changes/change.tsx';
import { words } from '../words.ts';
import type { CodeRead } from './read.ts';

export interface ObjectsProps {
  readonly code: CodeRead;
  readonly onClose: () => void;
}

export function Objects({ code, onClose }: ObjectsProps) {
  const { id: business } = useBusiness();
  const propose = usePropose();
  const list = usePages('GET /discount_code_applicabilities', {
    query: { discount_code: code.id, page_size: 100 },
    fields: ['id', 'allow_use', 'item'],
  });
  const nameOf = useNames(list.data?.pages.flatMap(({ results }) => results.map(({ item }) => item)) ?? []);
  const done = words.say('saved', { name: code.code });
  const turn = (id: number, name: string, allow_use: boolean): void =>
    void propose({
      title: words.say(allow_use ? 'object.allow.of' : 'object.exclude.of', { name }),
      done,
      call: () =>
        clientOf(business).call('PATCH /discount_code_applicabilities/{id}', { params: { id }, body: { allow_use } }),
    });
  const remove = (id: number, name: string): void =>
    void propose({
      title: words.say('remove', { name }),
      done,
      call: () => clientOf(business).call('DELETE /discount_code_applicabilities/{id}', { params: { id } }),
    });
  return (
    <Dialog title={words.say('code.objects.of', { name: code.code })} onClose={onClose} side>
      <p>{words.say(code.usable_by_default_for_purchase_types ? 'objects.all' : 'objects.some')}</p>
      <Listed list={list} none={words.say('objects.none')} next={[]}>
        {(all) => (
          <ul className="rows" aria-label={words.say('code.objects')}>
            {all.map(({ id, item, allow_use }) => (
              <li key={id}>
                <strong>{nameOf(item)}</strong>
                <span className={allow_use ? 'tag good' : 'tag wrong'}>
                  {words.say(allow_use ? 'object.allowed' : 'object.excluded')}
                </span>
                <span className="end row-actions">
                  <RowButton
                    text={words.say(allow_use ? 'object.exclude' : 'object.allow')}
                    about={nameOf(item)}
                    onClick={() => turn(id, nameOf(item), !allow_use)}
                  />
                  <RowButton text={words.say('delete')} about={nameOf(item)} onClick={() => remove(id, nameOf(item))} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </Listed>
      <h3>{words.say('object.new')}</h3>
      <NewObject code={code} />
    </Dialog>
  );
}

function NewObject({ code }: { readonly code: CodeRead }) {
  const { id: business, timezone } = useBusiness();
  const [kind, setKind] = useState<Kind>('membership');
  const [day, setDay] = useState(() => dateAt(Date.now(), timezone));
  const kinds = useKinds();
  const things = useThings(kind, day);
  return (
    <ProposalFields
      submit={words.say('object.add')}
      onMade={() => {}}
      proposal={({ item, allow_use }) => ({
        title: words.say('object.new'),
        confirm: words.say('save'),
        done: words.say('saved', { name: code.code }),
        call: () =>
          clientOf(business).call('POST /discount_code_applicabilities', {
            body: {
              discount_code: code.id,
              item: { type: kind, id: Number(item) },
              allow_use: allow_use === 'true',
            },
          }),
      })}
    >
      {(errors) => (
        <>
          <Choice
            name="kind"
            label={words.say('object.kind')}
            choices={kinds.map((one) => [one, words.say(`object.${one}`)])}
            onChoose={(value) => setKind(oneOf(kinds, value))}
          />
          {kind === 'event' ? (
            <Field
              label={words.say('object.day')}
              hint={things?.length === 0 ? words.say('object.day.none') : undefined}
            >
              <input type="date" value={day} required onChange={({ target }) => setDay(target.value)} />
            </Field>
          ) : null}
          <Choice
            key={kind === 'event' ? day : kind}
            name="item"
            label={words.say('object.which')}
            choices={things?.map(({ id, name }) => [id, name] as const) ?? []}
            errors={[...errors('item'), ...errors('item.id')]}
          />
          <Choice
            name="allow_use"
            label={words.say('object.can')}
            choices={[
              ['true', words.say('object.allowed')],
              ['false', words.say('object.excluded')],
            ]}
          />
        </>
      )}
    </ProposalFields>
  );
}
