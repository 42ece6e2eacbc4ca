/** The form of a new or existing task about a customer. */
import { clientOf } from '../../../app/client.ts';
import { Field } from '../../../ui/field.tsx';
import { ProposalForm } from '../../../changes/proposal-form.tsx';
import { useBusiness } from '../../../app/business.ts';
import { useCall } from '../../../app/calls.ts';
import { words } from './words.ts';

export interface Task {
  readonly id: number;
  readonly title: string;
  readonly description: string | null;
  readonly due_date: string | null;
  readonly assignee: { readonly id: number; readonly name: string } | null;
}

export interface TaskFormProps {
  readonly customer: number;
  /** absent for a new one */
  readonly task?: Task;
  readonly onClose: () => void;
}

export function TaskForm({ customer, task, onClose }: TaskFormProps) {
  const { id: business } = useBusiness();
  const colleagues = useCall('GET /staff', {
    query: { status: 'active', page_size: 100 },
    fields: ['id', 'name'],
  });
  const title = task ? words.say('task.edit.title', { title: task.title }) : words.say('task.add');
  const assignee = task?.assignee ?? null;
  const people = (colleagues.data?.results ?? []).filter(({ id }) => id !== assignee?.id);
  return (
    <ProposalForm
      title={title}
      onClose={onClose}
      submit={words.say('save')}
      proposal={(typed) => {
        const body = {
          title: typed.title ?? '',
          description: typed.description || null,
          due_date: typed.due_date || null,
          assignee: Number(typed.assignee) || null,
        };
        return {
          title,
          confirm: words.say('save'),
          done: words.say('task.saved'),
          call: () =>
            task
              ? clientOf(business).call('PATCH /customer_tasks/{id}', { params: { id: task.id }, body })
              : clientOf(business).call('POST /customer_tasks', { body: { customer, ...body } }),
        };
      }}
    >
      {(errors) => (
        <>
          <Field label={words.say('task.title')} errors={errors('title')}>
            <input name="title" autoComplete="off" autoFocus defaultValue={task?.title} />
          </Field>
          <Field label={words.say('task.description')} errors={errors('description')}>
            <textarea name="description" rows={3} defaultValue={task?.description ?? ''} />
          </Field>
          <Field label={words.say('task.due_date')} errors={errors('due_date')}>
            <input name="due_date" type="date" defaultValue={task?.due_date ?? ''} />
          </Field>
          <Field label={words.say('task.assignee')} errors={errors('assignee')}>
            <select name="assignee" defaultValue={assignee?.id ?? ''}>
              <option value="">{words.say('task.assignee.none')}</option>
              {(assignee ? [assignee, ...people] : people).map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </Field>
        </>
      )}
    </ProposalForm>
  );
}
