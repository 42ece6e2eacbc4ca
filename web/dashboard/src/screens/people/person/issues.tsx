/** Matters about the customer that staff keep an eye on. */
import { useState } from 'react';
import { calendarDayOf, dateAt } from '../../../words/times.ts';
import { clientOf } from '../../../app/client.ts';
import { Field } from '../../../ui/field.tsx';
import { Listed, NextSteps, type NextStep } from '../../../ui/listed.tsx';
import { ProposalForm } from '../../../changes/proposal-form.tsx';
import { useBusiness } from '../../../app/business.ts';
import { usePages } from '../../../app/pages.ts';
import { usePropose } from '../../../changes/change.tsx';
import { words } from './words.ts';
import type { TabProps } from './person.ts';

/** In the order of the status ids, which count from 1. */
const IMPORTANCES = ['flag_on_profile', 'normal', 'closed'] as const;

type Importance = (typeof IMPORTANCES)[number];

/** `id` is absent for a new one. */
interface Draft {
  readonly id?: number;
  readonly name: string;
  readonly kind: string;
  readonly importance: Importance;
}

const importanceOf = (status: number): Importance => IMPORTANCES[status - 1] ?? 'normal';

export function Issues({ person }: TabProps) {
  const { id: business, timezone } = useBusiness();
  const propose = usePropose();
  const [draft, setDraft] = useState<Draft | null>(null);
  const list = usePages('GET /customer_issues', {
    query: { customer: [person.id], page_size: 20 },
    fields: ['id', 'name', 'status', 'case_type', 'created_at'],
  });
  const remove = (id: number): void =>
    void propose({
      title: words.say('issue.delete.title'),
      confirm: words.say('delete'),
      grave: true,
      call: () => clientOf(business).call('DELETE /customer_issues/{id}', { params: { id } }),
      done: words.say('issue.deleted'),
    });
  const next: readonly NextStep[] = [
    {
      label: words.say('issue.add'),
      needs: ['customers'],
      second: true,
      act: () => setDraft({ name: '', kind: '', importance: 'normal' }),
    },
  ];
  return (
    <>
      <div className="tools">
        <NextSteps list={list} next={next} />
      </div>
      <Listed list={list} none={words.say('issues.none')} next={next}>
        {(all) => (
          <ul className="rows">
            {all.map(({ id, name, status, case_type: kind, created_at: since }) => (
              <li key={id}>
                <span>
                  <span className="soft small">
                    {kind.name ? `${kind.name} · ` : ''}
                    {calendarDayOf(dateAt(since, timezone))}
                  </span>{' '}
                  <span className={status.id === 1 ? 'tag wrong' : 'tag'}>
                    {words.say(`issue.${importanceOf(status.id)}`)}
                  </span>
                  <span className="said" style={{ display: 'block' }}>
                    {name}
                  </span>
                </span>
                <span className="end">
                  <button
                    type="button"
                    className="plain"
                    onClick={() => setDraft({ id, name, kind: kind.name ?? '', importance: importanceOf(status.id) })}
                  >
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
      {draft ? <IssueForm draft={draft} customer={person.id} onClose={() => setDraft(null)} /> : null}
    </>
  );
}

interface IssueFormProps {
  readonly draft: Draft;
  readonly customer: number;
  readonly onClose: () => void;
}

function IssueForm({ draft, customer, onClose }: IssueFormProps) {
  const { id: business } = useBusiness();
  const { id } = draft;
  const title = words.say(id === undefined ? 'issue.add' : 'issue.edit');
  return (
    <ProposalForm
      title={title}
      onClose={onClose}
      submit={words.say('save')}
      proposal={({ name = '', importance, case_type: kind }) => ({
        title,
        confirm: words.say('save'),
        done: words.say('issue.saved'),
        call: () => {
          const body = {
            name,
            importance: IMPORTANCES.find((one) => one === importance) ?? 'normal',
            case_type: { name: kind || null },
          };
          return id === undefined
            ? clientOf(business).call('POST /customer_issues', { body: { customer, ...body } })
            : clientOf(business).call('PATCH /customer_issues/{id}', { params: { id }, body });
        },
      })}
    >
      {(errors) => (
        <>
          <Field label={words.say('issue.name')} errors={errors('name')}>
            <input name="name" defaultValue={draft.name} maxLength={256} autoFocus />
          </Field>
          <Field label={words.say('note.kind')} hint={words.say('issue.kind.hint')} errors={errors('case_type')}>
            <input name="case_type" defaultValue={draft.kind} maxLength={256} />
          </Field>
          <Field label={words.say('status')} errors={errors('importance')}>
            <select name="importance" defaultValue={draft.importance}>
              {IMPORTANCES.map((one) => (
                <option key={one} value={one}>
                  {words.say(`issue.${one}`)}
                </option>
              ))}
            </select>
          </Field>
        </>
      )}
    </ProposalForm>
  );
}
