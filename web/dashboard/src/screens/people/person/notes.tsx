import { useState } from 'react';
import { clientOf } from '../../../app/client.ts';
import { Field } from '../../../ui/field.tsx';
import { Listed, NextSteps, type NextStep } from '../../../ui/listed.tsx';
import { momentOf } from '../../../words/times.ts';
import { ProposalForm } from '../../../changes/proposal-form.tsx';
import { useBusiness } from '../../../app/business.ts';
import { usePages } from '../../../app/pages.ts';
import { usePropose } from '../../../changes/change.tsx';
import { words } from './words.ts';
import type { TabProps } from './person.ts';

const KINDS = ['note', 'call', 'visit', 'email'] as const;

/** `id` is absent for a new one. */
interface Draft {
  readonly id?: number;
  readonly kind: (typeof KINDS)[number];
  readonly text: string;
  readonly pinned: boolean;
}

export function Notes({ person }: TabProps) {
  const { id: business, timezone } = useBusiness();
  const propose = usePropose();
  const [draft, setDraft] = useState<Draft | null>(null);
  const list = usePages('GET /customer_notes', {
    query: { customer: person.id, sort: ['-at'], page_size: 20 },
    fields: ['id', 'kind', 'text', 'at', 'pinned', 'author.name'],
  });
  const remove = (id: number): void =>
    void propose({
      title: words.say('note.delete.title'),
      confirm: words.say('delete'),
      grave: true,
      call: () => clientOf(business).call('DELETE /customer_notes/{id}', { params: { id } }),
      done: words.say('note.deleted'),
    });
  const next: readonly NextStep[] = [
    {
      label: words.say('note.add'),
      needs: ['customers'],
      second: true,
      act: () => setDraft({ kind: 'note', text: '', pinned: false }),
    },
  ];
  return (
    <>
      <div className="tools">
        <NextSteps list={list} next={next} />
      </div>
      <Listed list={list} none={words.say('notes.none')} next={next}>
        {(all) => (
          <ul className="rows">
            {all.map(({ id, kind, text, at, pinned, author }) => (
              <li key={id}>
                <span>
                  <span className="soft small">
                    {words.say(`note.${kind}`)} · {momentOf(at, timezone)}
                    {author ? ` · ${author.name}` : ''}
                  </span>{' '}
                  {pinned ? <span className="tag">{words.say('note.pinned')}</span> : null}
                  <span className="said" style={{ display: 'block' }}>
                    {text}
                  </span>
                </span>
                <span className="end">
                  <button type="button" className="plain" onClick={() => setDraft({ id, kind, text, pinned })}>
                    {words.say('edit')}
                  </button>{' '}
                  <button type="button" className="plain" onClick={() => remove(id)}>
                    {words.say('delete')}
                  </button>
                </span>
              </li>
            ))}
          </ul>
        )}
      </Listed>
      {draft ? <NoteForm draft={draft} customer={person.id} onClose={() => setDraft(null)} /> : null}
    </>
  );
}

interface NoteFormProps {
  readonly draft: Draft;
  readonly customer: number;
  readonly onClose: () => void;
}

function NoteForm({ draft, customer, onClose }: NoteFormProps) {
  const { id: business } = useBusiness();
  const { id } = draft;
  const title = words.say(id === undefined ? 'note.add' : 'note.edit');
  return (
    <ProposalForm
      title={title}
      onClose={onClose}
      submit={words.say('save')}
      proposal={({ text = '', kind, pinned }) => ({
        title,
        confirm: words.say('save'),
        done: words.say('note.saved'),
        call: () => {
          const body = { text, kind: KINDS.find((one) => one === kind) ?? 'note', pinned: pinned !== undefined };
          return id === undefined
            ? clientOf(business).call('POST /customer_notes', { body: { customer, ...body } })
            : clientOf(business).call('PATCH /customer_notes/{id}', { params: { id }, body });
        },
      })}
    >
      {(errors) => (
        <>
          <Field label={words.say('note.text')} errors={errors('text')}>
            <textarea name="text" rows={5} defaultValue={draft.text} autoFocus />
          </Field>
          <Field label={words.say('note.kind')} errors={errors('kind')}>
            <select name="kind" defaultValue={draft.kind}>
              {KINDS.map((one) => (
                <option key={one} value={one}>
                  {words.say(`note.${one}`)}
                </option>
              ))}
            </select>
          </Field>
          <label className="box">
            <input name="pinned" type="checkbox" defaultChecked={draft.pinned} /> {words.say('note.pin')}
          </label>
        </>
      )}
    </ProposalForm>
  );
}
