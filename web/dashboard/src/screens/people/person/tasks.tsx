import { useState } from 'react';
import { calendarDayOf } from '../../../words/times.ts';
import { clientOf } from '../../../app/client.ts';
import { Listed, NextSteps, type NextStep } from '../../../ui/listed.tsx';
import { RowButton } from '../../../ui/row-button.tsx';
import { TaskForm, type Task } from './task-form.tsx';
import { useBusiness } from '../../../app/business.ts';
import { usePages } from '../../../app/pages.ts';
import { usePropose } from '../../../changes/change.tsx';
import { words } from './words.ts';
import type { TabProps } from './person.ts';

export function Tasks({ person }: TabProps) {
  const { id: business } = useBusiness();
  const propose = usePropose();
  const [editing, setEditing] = useState<Task | 'new' | null>(null);
  const list = usePages('GET /customer_tasks', {
    query: { customer: person.id, sort: ['due_date'], page_size: 50 },
    fields: ['id', 'title', 'description', 'due_date', 'done_at', 'assignee.id', 'assignee.name'],
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
  const remove = (id: number, title: string): void =>
    void propose({
      title: words.say('task.delete.title', { title }),
      confirm: words.say('task.delete'),
      done: words.say('task.deleted'),
      grave: true,
      call: () => clientOf(business).call('DELETE /customer_tasks/{id}', { params: { id } }),
    });
  const next: readonly NextStep[] = [
    { label: words.say('task.add'), needs: ['customers'], second: true, act: () => setEditing('new') },
  ];
  return (
    <>
      <div className="tools">
        <NextSteps list={list} next={next} />
      </div>
      <Listed list={list} none={words.say('tasks.none')} next={next}>
        {(all) => (
          <ul className="rows">
            {all.map(({ done_at, ...task }) => {
              const { id, title, description, due_date, assignee } = task;
              return (
                <li key={id}>
                  <span>
                    <strong>{title}</strong>{' '}
                    <span className="soft small">
                      {[
                        due_date && words.say('task.due', { day: calendarDayOf(due_date) }),
                        assignee?.name,
                        description,
                      ]
                        .filter(Boolean)
                        .join(' · ')}
                    </span>
                  </span>
                  {done_at ? <span className="tag good">{words.say('task.is_done')}</span> : null}
                  <button type="button" className="plain end" onClick={() => turn(id, title, done_at !== null)}>
                    {words.say(done_at ? 'task.reopen' : 'task.done')}
                  </button>
                  <RowButton text={words.say('edit')} about={title} onClick={() => setEditing(task)} />
                  <RowButton text={words.say('task.delete')} about={title} onClick={() => remove(id, title)} />
                </li>
              );
            })}
          </ul>
        )}
      </Listed>
      {editing ? (
        <TaskForm customer={person.id} {...(editing !== 'new' && { task: editing })} onClose={() => setEditing(null)} />
      ) : null}
    </>
  );
}
