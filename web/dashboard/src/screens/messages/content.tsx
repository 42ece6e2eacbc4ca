/** The content and channels of a broadcast. */
import { CHANNELS, USES, type Draft } from './draft.ts';
import { Field } from '../../ui/field.tsx';
import { TemplateText } from '../../ui/template-text.tsx';
import { words } from './words.ts';

const FIELDS = ['customer.first_name', 'customer.last_name', 'customer.email', 'business.name'] as const;

export interface BoxProps {
  readonly draft: Draft;
  readonly onChange: (part: Partial<Draft>) => void;
  readonly errors: (name: string) => readonly string[];
}

export function Box({ draft, onChange, errors }: BoxProps) {
  const fields = FIELDS.map((name) => ({ name, description: words.say(`field.${name}`) }));
  return (
    <>
      <div className="pair">
        <Field label={words.say('channel')} errors={errors('channel')}>
          <select
            name="channel"
            value={draft.channel}
            onChange={({ target: { value } }) =>
              onChange({ channel: CHANNELS.find((one) => one === value) ?? 'email' })
            }
          >
            {CHANNELS.map((one) => (
              <option key={one} value={one}>
                {words.say(`channel.${one}`)}
              </option>
            ))}
          </select>
        </Field>
        <Field label={words.say('use')} errors={errors('use_case')} hint={words.say(`use.${draft.use_case}.hint`)}>
          <select
            name="use_case"
            value={draft.use_case}
            onChange={({ target: { value } }) =>
              onChange({ use_case: USES.find((one) => one === value) ?? 'marketing' })
            }
          >
            {USES.map((one) => (
              <option key={one} value={one}>
                {words.say(`use.${one}`)}
              </option>
            ))}
          </select>
        </Field>
      </div>
      {draft.channel === 'email' ? (
        <TemplateText
          name="subject"
          label={words.say('text.subject')}
          errors={errors('subject')}
          fields={fields}
          rows={1}
          value={draft.subject}
          onText={(subject) => onChange({ subject })}
        />
      ) : null}
      <TemplateText
        name="message"
        label={words.say('text.message')}
        hint={words.say('text.message.hint')}
        errors={errors('message')}
        fields={fields}
        rows={draft.channel === 'email' ? 12 : 4}
        value={draft.message}
        onText={(message) => onChange({ message })}
      />
    </>
  );
}
