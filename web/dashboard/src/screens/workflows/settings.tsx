/** The settings of each kind of action: the text of an email, a label, a task. */
import { Field } from '../../ui/field.tsx';
import { ListSelect } from '../../ui/list-select.tsx';
import { TemplateText } from '../../ui/template-text.tsx';
import { words } from './words.ts';
import type { Action, ActionType, Named, Names } from './kinds.ts';
import type { ErrorsOf } from '../../changes/proposal-form.tsx';

const FIELDS = [
  'customer.first_name',
  'customer.last_name',
  'customer.email',
  'customer.status',
  'business.name',
  'event.name',
  'event.starts_at',
] as const;

export interface SettingsProps {
  readonly type: ActionType;
  /** the existing action of this kind */
  readonly action?: Action;
  /** the text of a new email */
  readonly initial?: { readonly subject: string; readonly body: string; readonly purpose: string };
  readonly names: Names;
  readonly errors: ErrorsOf;
}

export function Settings({ type, action, initial: mailed, names, errors }: SettingsProps) {
  const fields = FIELDS.map((name) => ({ name, description: words.say(`field.${name}`) }));
  const choice = (name: 'label' | 'status' | 'staff', label: string, all: readonly Named[], none: string) => (
    <Field label={label} errors={errors(name)}>
      <ListSelect
        name={name}
        initial={String(action?.[name] ?? '')}
        choices={all.map(({ value, name: text }) => [value, text])}
        none={none}
      />
    </Field>
  );
  const template = (
    name: 'email_template.subject' | 'email_template.body' | 'text',
    rows: number,
    initial?: string,
  ) => (
    <TemplateText
      name={name}
      label={words.say(`step.${name}`)}
      errors={errors(name)}
      fields={fields}
      rows={rows}
      initial={initial ?? ''}
    />
  );
  const mail = (
    <>
      {template('email_template.subject', 1, action?.email_template?.subject ?? mailed?.subject)}
      {template('email_template.body', 8, action?.email_template?.body ?? mailed?.body)}
    </>
  );
  const purpose = (
    <Field label={words.say('purpose')} errors={errors('purpose')} hint={words.say('purpose.hint')}>
      <select name="purpose" defaultValue={action?.purpose ?? mailed?.purpose ?? 'marketing'}>
        <option value="marketing">{words.say('purpose.marketing')}</option>
        <option value="transactional">{words.say('purpose.transactional')}</option>
      </select>
    </Field>
  );
  switch (type) {
    case 'email_customer':
      return (
        <>
          {mail}
          {purpose}
        </>
      );
    case 'sms_customer':
      return (
        <>
          {template('text', 4, action?.text ?? '')}
          {purpose}
        </>
      );
    case 'email_staff':
      return (
        <>
          {choice('staff', words.say('step.staff'), names.staff, words.say('choose'))}
          {mail}
        </>
      );
    case 'add_label':
    case 'remove_label':
      return choice('label', words.say('label'), names.labels, words.say('choose'));
    case 'set_status':
      return choice('status', words.say('status'), names.statuses, words.say('choose'));
    case 'create_task':
      return (
        <>
          <Field label={words.say('task.title')} errors={errors('title')}>
            <input name="title" autoComplete="off" defaultValue={action?.title ?? ''} />
          </Field>
          <Field label={words.say('task.description')} errors={errors('description')}>
            <textarea name="description" rows={3} defaultValue={action?.description ?? ''} />
          </Field>
          {choice('staff', words.say('task.staff'), names.staff, words.say('task.nobody'))}
          <Field label={words.say('task.due')} errors={errors('due_in_days')}>
            <input name="due_in_days" type="number" min={0} max={365} defaultValue={action?.due_in_days ?? ''} />
          </Field>
        </>
      );
    case 'call_webhook':
      return <p>{words.say('step.webhook')}</p>;
  }
}
