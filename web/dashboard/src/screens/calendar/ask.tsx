/** Questions before the preview of a change to an event: which events of a series, and whom to notify. */
import { useCallback, useId, useState, type ReactNode } from 'react';
import type { Problem } from 'rollcall-sdk';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { OtherDate } from './other-date.tsx';
import { ui } from '../../ui/words.ts';
import { words } from './words.ts';
import type { CalendarEvent } from './events.ts';

export const REACHES = ['this', 'following', 'all'] as const;
export type Reach = (typeof REACHES)[number];

export interface Answers {
  readonly reach: Reach;
  readonly notify: boolean;
  readonly message: string;
  /** also apply on a day on which the venue is closed */
  readonly closed: boolean;
  /** the event to which bookings move; null: to none */
  readonly moveTo: number | null;
}

export const NO_ANSWERS: Answers = { reach: 'this', notify: false, message: '', closed: false, moveTo: null };

export interface Question {
  readonly title: string;
  readonly about?: ReactNode;
  /** the event belongs to a series; true only if this change can apply to the whole series */
  readonly series: boolean;
  /** customers are booked or on the waitlist */
  readonly people: boolean;
  /** the event whose bookings can move to another date */
  readonly leaves?: CalendarEvent;
  readonly answers: Answers;
  /** the reason of the previous refusal */
  readonly problem: Problem | null;
}

/** Returns the message for the properties, or else the general one. */
export function reasonOf({ message, field_errors }: Problem): string {
  const said = [...new Set(Object.values(field_errors).flat())];
  return said.length > 0 ? said.join(' ') : message;
}

/** Returns the part of a change's body that these answers determine. */
export const bodyOf = ({ reach, notify, message, closed }: Answers) => ({
  ...(reach !== 'this' && { applies_to: reach }),
  ...(closed && { on_closed_day: true }),
  ...notifyOf({ notify, message }),
});

export const notifyOf = ({ notify, message }: Pick<Answers, 'notify' | 'message'>) =>
  notify ? { notify: { email: { send: true, ...(message.trim() !== '' && { message: message.trim() }) } } } : {};

type Asked = Question & { readonly settle: (answers: Answers | null) => void };

/** Returns a function that asks and resolves to the answers, null if the person cancels, and the dialog to render. */
export function useAsk(): readonly [(question: Question) => Promise<Answers | null>, ReactNode] {
  const [asked, setAsked] = useState<Asked | null>(null);
  const ask = useCallback(
    (question: Question) =>
      new Promise<Answers | null>((done) =>
        setAsked({
          ...question,
          settle: (answers) => {
            setAsked(null);
            done(answers);
          },
        }),
      ),
    [],
  );
  return [ask, asked ? <Ask key={asked.title} {...asked} /> : null];
}

function Ask({ title, about, series, people, leaves, answers: given, problem, settle }: Asked) {
  const [answers, setAnswers] = useState(given);
  return (
    <Dialog title={title} onClose={() => settle(null)}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          settle(answers);
        }}
      >
        {about}
        {problem ? (
          <p className="notice wrong" role="alert">
            {reasonOf(problem)}
          </p>
        ) : null}
        {series ? <ReachField value={answers.reach} onChange={(reach) => setAnswers({ ...answers, reach })} /> : null}
        {leaves && answers.reach === 'this' ? (
          <OtherDate event={leaves} value={answers.moveTo} onChange={(moveTo) => setAnswers({ ...answers, moveTo })} />
        ) : null}
        {people ? <NotifyFields value={answers} onChange={(said) => setAnswers({ ...answers, ...said })} /> : null}
        {problem?.code === 'venue_closed' ? (
          <Check
            label={words.say('closed.anyway')}
            checked={answers.closed}
            onChange={(closed) => setAnswers({ ...answers, closed })}
          />
        ) : null}
        <div className="actions">
          <button type="submit" className="button">
            {words.say('show_effects')}
          </button>
          <button type="button" className="second" onClick={() => settle(null)}>
            {ui.say('cancel')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

export function ReachField({ value, onChange }: { readonly value: Reach; readonly onChange: (reach: Reach) => void }) {
  const id = useId();
  return (
    <fieldset>
      <legend>{words.say('reach')}</legend>
      {REACHES.map((reach) => (
        <div key={reach} className="check">
          <input id={id + reach} type="radio" name={id} checked={reach === value} onChange={() => onChange(reach)} />
          <label htmlFor={id + reach}>{words.say(`reach.${reach}`)}</label>
        </div>
      ))}
    </fieldset>
  );
}

export interface CheckProps {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

export function Check({ label, checked, onChange }: CheckProps) {
  const id = useId();
  return (
    <div className="check field">
      <input id={id} type="checkbox" checked={checked} onChange={({ target }) => onChange(target.checked)} />
      <label htmlFor={id}>{label}</label>
    </div>
  );
}

type Said = Pick<Answers, 'notify' | 'message'>;

export function NotifyFields({ value, onChange }: { readonly value: Said; readonly onChange: (said: Said) => void }) {
  const { notify, message } = value;
  return (
    <>
      <Check label={words.say('notify')} checked={notify} onChange={(send) => onChange({ notify: send, message })} />
      {notify ? (
        <Field label={words.say('message')} hint={words.say('message.hint')}>
          <textarea
            rows={3}
            maxLength={5000}
            value={message}
            onChange={({ target }) => onChange({ notify, message: target.value })}
          />
        </Field>
      ) : null}
    </>
  );
}
