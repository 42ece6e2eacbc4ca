import { useState } from 'react';
import { calendarDayOf } from '../../../words/times.ts';
import { clientOf } from '../../../app/client.ts';
import { Field } from '../../../ui/field.tsx';
import { Listed } from '../../../ui/listed.tsx';
import { ProposalForm } from '../../../changes/proposal-form.tsx';
import { useBusiness } from '../../../app/business.ts';
import { usePages } from '../../../app/pages.ts';
import { usePropose } from '../../../changes/change.tsx';
import { words } from './words.ts';
import type { TabProps } from './person.ts';

export function Tasks({ person }: TabProps) {
  const { id: business } = useBusiness();
  const propose = usePropose();
  const [adding, setAdding] = useState(false);
  const list = usePages('GET /customer_tasks', {
    query: { customer: person.id, sort: ['due_date'], page_size: 50 },
    fields: ['id', 'title', 'description', 'due_date', 'done_at', 'assignee.name'],
  });
  const turn = (id: number, title: string, isDone: boolean): void => {
    const asked = { params: { id } };
    const client = clientOf(business);
    void propose({
      title: words.say(isDone ? 'task.reopen.title' : 'task.done.title', { title }),
      confirm: words.say(isDone ? 'task.reopen' : 'task.done'),
      call: () =>
        isDone
          ? client.call('POST /customer_tasks/{id}/reopen', asked)
          : client.call('POST /customer_tasks/{id}/complete', asked),
      done: words.say('task.saved'),
    });
  };
  return (
    <>
      <p>
        <button type="button" onClick={() => setAdding(true)}>
          {words.say('task.add')}
        </button>
      </p>
      <Listed list={list} none={words.say('tasks.none')}>
        {(all) => (
          <ul className="rows">
            {all.map(({ id, title, description, due_date, done_at, assignee }) => (
              <li key={id}>
                <span>
                  <strong>{title}</strong>{' '}
                  <span className="soft small">
                    {[due_date && words.say('task.due', { day: calendarDayOf(due_date) }), assignee?.name, description]
                      .filter(Boolean)
                      .join(' · ')}
                  </span>
                </span>
                {done_at ? <span className="tag good">{words.say('task.is_done')}</span> : null}
                <button type="button" className="plain end" onClick={() => turn(id, title, done_at !== null)}>
                  {words.say(done_at ? 'task.reopen' : 'task.done')}
                </button>
              </li>
            ))}
          </ul>
        )}
      </Listed>
      {adding ? (
        <ProposalForm
          title={words.say('task.add')}
          onClose={() => setAdding(false)}
          proposal={({ title = '', description, due_date }) => ({
            title: words.say('task.add'),
            confirm: words.say('save'),
            done: words.say('task.saved'),
            call: () =>
              clientOf(business).call('POST /customer_tasks', {
                body: {
                  customer: person.id,
                  title,
                  description: description || null,
                  due_date: due_date || null,
                },
              }),
          })}
        >
          {(errors) => (
            <>
              <Field label={words.say('task.title')} errors={errors('title')}>
                <input name="title" autoComplete="off" autoFocus />
              </Field>
              <Field label={words.say('task.description')} errors={errors('description')}>
                <textarea name="description" rows={3} />
              </Field>
              <Field label={words.say('task.due_date')} errors={errors('due_date')}>
                <input name="due_date" type="date" />
              </Field>
            </>
          )}
        </ProposalForm>
      ) : null}
    </>
  );
}
