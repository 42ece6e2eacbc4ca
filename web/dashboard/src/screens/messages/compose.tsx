/** The editor of a broadcast: audience, content and time. Nothing is sent before the recipients are shown. */
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Problem } from 'rollcall-sdk';
import { Audience, isChosen } from './audience.tsx';
import { Box } from './content.tsx';
import { Counts, Recipients } from './recipients.tsx';
import { clientOf } from '../../app/client.ts';
import { contentOf, draftOf, EMPTY, FIELDS, type Broadcast, type Draft } from './draft.ts';
import { Preview } from './preview.tsx';
import { titleOf } from './broadcasts.tsx';
import { useBusiness } from '../../app/business.ts';
import { usePropose } from '../../changes/change.tsx';
import { WhenIsIt } from './when.tsx';
import { words } from './words.ts';

export interface ComposeProps {
  /** absent for a new one */
  readonly saved?: Broadcast;
  /** of the saved one, so that nobody overwrites another person's changes */
  readonly etag?: string | null;
  /** reads the saved one again; returns its version */
  readonly onSaved?: () => Promise<string | null>;
}

export function Compose({ saved, etag, onSaved }: ComposeProps) {
  const { id: business, staff } = useBusiness();
  const navigate = useNavigate();
  const propose = usePropose();
  const [draft, setDraft] = useState<Draft>(() => (saved ? draftOf(saved) : EMPTY));
  const [problem, setProblem] = useState<Problem | null>(null);
  // Keeps the version that was shown: a change by somebody else must not count as seen here.
  const [version, setVersion] = useState(etag ?? null);
  const change = (part: Partial<Draft>): void => setDraft((before) => ({ ...before, ...part }));
  const client = clientOf(business);
  const content = contentOf(draft);
  const title = titleOf({ subject: draft.subject || null, message: draft.message });
  const errors = (name: string): readonly string[] =>
    Object.entries(problem?.field_errors ?? {})
      .filter(([property]) => property === name || property.startsWith(`${name}.`))
      .flatMap(([, said]) => said);
  const elsewhere = problem && Object.keys(problem.field_errors).length === 0;

  const save = async (): Promise<void> => {
    if (saved === undefined) {
      const outcome = await propose({
        title: words.say('save.title'),
        confirm: words.say('save.draft'),
        done: words.say('saved'),
        call: () => client.call('POST /communication/broadcast_messages', { body: content }),
      });
      if (outcome.made) void navigate({ to: `/${business}/messages/${outcome.answer.id}` as string, replace: true });
      else setProblem(outcome.problem);
      return;
    }
    const outcome = await propose({
      title: words.say('save.title'),
      confirm: words.say('save.draft'),
      done: words.say('saved'),
      call: () =>
        client.call('PATCH /communication/broadcast_messages/{id}', {
          params: { id: saved.id },
          ...(version && { ifMatch: version }),
          fields: FIELDS,
          body: content,
        }),
    });
    setProblem(outcome.made ? null : outcome.problem);
    // After saving, the form shows exactly what was saved.
    if (outcome.made) setVersion((await onSaved?.()) ?? null);
  };
  const test = async (): Promise<void> => {
    const outcome = await propose({
      title: words.say('test.title', { address: staff.email }),
      confirm: words.say('test.send'),
      done: words.say('test.sent', { address: staff.email }),
      call: () =>
        client.call('POST /communication/broadcast_messages/send_test_email', {
          body: { message: draft.message, subject: draft.subject, html: draft.html, staff: staff.id },
        }),
    });
    setProblem(outcome.made ? null : outcome.problem);
  };
  const send = async (id: number): Promise<void> => {
    const outcome = await propose({
      title: words.say(draft.when.how === 'now' ? 'send.title' : 'schedule.title', { title }),
      confirm: words.say(draft.when.how === 'now' ? 'send' : 'schedule'),
      done: words.say(draft.when.how === 'now' ? 'sending' : 'scheduled'),
      about: <Counts draft={draft} />,
      call: () => client.call('POST /communication/broadcast_messages/{id}/send', { params: { id }, body: content }),
    });
    setProblem(outcome.made ? null : outcome.problem);
  };
  const remove = async (id: number): Promise<void> => {
    const outcome = await propose({
      title: words.say('delete.title', { title }),
      confirm: words.say('delete'),
      grave: true,
      done: words.say('deleted'),
      call: () => client.call('DELETE /communication/broadcast_messages/{id}', { params: { id } }),
    });
    if (outcome.made) void navigate({ to: `/${business}/messages` as string });
  };
  return (
    <form
      className="writing"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <div>
        {elsewhere ? (
          <p className="notice wrong" role="alert">
            {problem.message}
          </p>
        ) : null}
        <Box draft={draft} onChange={change} errors={errors} />
        <Audience
          target={draft.target}
          onTarget={(target) => change({ target })}
          errors={errors('target_recipients')}
        />
        <WhenIsIt when={draft.when} onWhen={(when) => change({ when })} errors={errors('defer_sending')} />
        <div className="actions">
          {saved ? (
            <button type="button" disabled={!isChosen(draft.target)} onClick={() => void send(saved.id)}>
              {words.say(draft.when.how === 'now' ? 'send.next' : 'schedule.next')}
            </button>
          ) : null}
          <button type="submit" className={saved ? 'second' : undefined} disabled={!isChosen(draft.target)}>
            {words.say('save.draft')}
          </button>
          {draft.channel === 'email' ? (
            <button type="button" className="second" onClick={() => void test()}>
              {words.say('test.to_me')}
            </button>
          ) : null}
          {saved ? (
            <button type="button" className="plain end" onClick={() => void remove(saved.id)}>
              {words.say('delete')}
            </button>
          ) : null}
        </div>
        {saved ? null : <p className="soft small">{words.say('save.next')}</p>}
      </div>
      <div>
        <h2>{words.say('recipients')}</h2>
        {isChosen(draft.target) ? <Recipients draft={draft} /> : <p>{words.say('audience.first')}</p>}
        <h2>{words.say('preview')}</h2>
        <Preview draft={draft} />
      </div>
    </form>
  );
}
