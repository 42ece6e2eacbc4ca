/** Sends a message to several customers. The recipients and the excluded customers are shown before it is sent. */
import { useRef, useState } from 'react';
import type { Problem } from 'rollcall-sdk';
import { clientOf } from '../app/client.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { ui } from '../ui/words.ts';
import { useBusiness } from '../app/business.ts';
import { usePropose } from '../changes/change.tsx';
import { words } from './words.ts';

const USES = ['general', 'marketing'] as const;
const CHANNELS = ['email', 'sms'] as const;

interface MessageProps {
  readonly chosen: ReadonlyMap<number, string>;
  readonly onClose: () => void;
}

export function MessageChosen({ chosen, onClose }: MessageProps) {
  const { id: business } = useBusiness();
  const propose = usePropose();
  const form = useRef<HTMLFormElement>(null);
  const [channel, setChannel] = useState<(typeof CHANNELS)[number]>('email');
  const [problem, setProblem] = useState<Problem | null>(null);
  const send = async (): Promise<void> => {
    const typed = new FormData(form.current!);
    const client = clientOf(business);
    const content = {
      message: String(typed.get('message')),
      use_case: USES.find((one) => one === typed.get('use_case')) ?? 'general',
      channel,
      subject: channel === 'email' ? String(typed.get('subject')) : null,
      target_recipients: { query_type: 'customer' as const, query: { ids: [...chosen.keys()] } },
    };
    // Only a saved broadcast can be sent, so a draft is created first. It is deleted if it is not sent.
    const draft = await client.call('POST /communication/broadcast_messages', { body: content }).result();
    if (!draft.ok) return setProblem(draft.problem);
    const params = { id: draft.value.id };
    const { excluded, recipients } = draft.value.recipient_counts;
    const outcome = await propose({
      title: words.say('message.send'),
      about: (
        <>
          <p>{words.say('message.recipients', { n: recipients })}</p>
          <ul>
            {excluded.map(({ reason, count }) => (
              <li key={reason}>{words.say('message.excluded', { n: count, why: words.say(`excluded.${reason}`) })}</li>
            ))}
          </ul>
        </>
      ),
      call: () => client.call('POST /communication/broadcast_messages/{id}/send', { params, body: content }),
      done: words.say('message.sent'),
    });
    if (outcome.made) return onClose();
    setProblem(outcome.problem);
    await client.call('DELETE /communication/broadcast_messages/{id}', { params }).result();
  };
  const errors = (name: string) => problem?.field_errors[name] ?? [];
  return (
    <Dialog title={words.say('message.title')} onClose={onClose}>
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        {problem ? (
          <p className="notice wrong" role="alert">
            {problem.message}
          </p>
        ) : null}
        <Field label={words.say('message.channel')}>
          <select
            value={channel}
            onChange={(event) => setChannel(CHANNELS.find((one) => one === event.target.value) ?? 'email')}
          >
            {CHANNELS.map((one) => (
              <option key={one} value={one}>
                {words.say(`message.${one}`)}
              </option>
            ))}
          </select>
        </Field>
        <Field label={words.say('message.use_case')} errors={errors('use_case')}>
          <select name="use_case">
            {USES.map((one) => (
              <option key={one} value={one}>
                {words.say(`message.${one}`)}
              </option>
            ))}
          </select>
        </Field>
        {channel === 'email' ? (
          <Field label={words.say('message.subject')} errors={errors('subject')}>
            <input name="subject" autoComplete="off" />
          </Field>
        ) : null}
        <Field label={words.say('message.text')} errors={errors('message')}>
          <textarea name="message" rows={6} />
        </Field>
        <div className="actions">
          <button type="submit">{words.say('message.go')}</button>
          <button type="button" className="second" onClick={onClose}>
            {ui.say('cancel')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
