/**
 * Checks customers in by a code: typed, entered by a hand scanner (which acts as a keyboard), or read by the camera.
 */
import { useRef, useState, type FormEvent } from 'react';
import { clientOf } from '../../../app/client.ts';
import { Camera, hasCamera } from './camera.tsx';
import { dateAt } from '../../../words/times.ts';
import { Icon } from '../../../ui/icon.tsx';
import { may, useBusiness } from '../../../app/business.ts';
import { marks, type DoorEvent, type Person } from '../read.ts';
import { nameOf, readCode } from '../people.ts';
import { problemOf, useCall } from '../../../app/calls.ts';
import { ui } from '../../../ui/words.ts';
import { useOnline } from '../marks/use-marks.ts';
import { words } from '../words.ts';
import type { Someone } from '../book/book.tsx';
import type { Status } from '../marks/queue.ts';
import camera from 'icon:camera';

export interface ScanProps {
  readonly event: DoorEvent;
  readonly booked: readonly Person[];
  readonly onMark: (person: Person, status: Status) => void;
  /** called if the customer is not booked */
  readonly onBook: (who: Someone) => void;
}

export function Scan({ event, booked, onMark, onBook }: ScanProps) {
  const business = useBusiness();
  const online = useOnline();
  const [text, setText] = useState('');
  const [news, setNews] = useState<{ readonly text: string; readonly wrong?: boolean } | null>(null);
  const [looking, setLooking] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const settings = useCall('GET /checkins/settings', {});
  const checkIn = async (code: string): Promise<void> => {
    try {
      setNews(await come(code));
    } catch (error) {
      setNews({ text: problemOf(error)?.message ?? ui.say('unreachable'), wrong: true });
    }
  };

  const come = async (code: string): Promise<{ text: string; wrong?: boolean } | null> => {
    const said = readCode(code);
    if (!said) return { text: words.say('scan.unread'), wrong: true };
    const inRoster = 'id' in said ? booked.find(({ customer }) => customer?.id === said.id) : undefined;
    // A customer on the roster is marked even without a connection.
    if (inRoster) return present(inRoster);
    if (!online) return { text: words.say('scan.offline'), wrong: true };
    const someone = await find(said);
    if (!someone) return { text: words.say('scan.unknown'), wrong: true };
    const listed = booked.find(({ customer }) => customer?.id === someone.id);
    if (listed) return present(listed);
    const there = await checkedIn(someone.id);
    onBook(someone);
    return { text: words.say(there ? 'scan.in' : 'scan.not_booked', { name: someone.label }) };
  };

  const present = async (person: Person): Promise<{ text: string }> => {
    // A check-in can be refused, for example because of an unsigned waiver. Then the person isn't here yet.
    if (online) await checkedIn(person.customer!.id);
    if (marks(business) && person.status !== 'attended') onMark(person, 'attended');
    return { text: words.say('marked.attended', { name: nameOf(person) }) };
  };

  const find = async (said: { id: number } | { email: string }): Promise<Someone | null> => {
    const byEmail = 'email' in said;
    const { results } = await clientOf(business.id).call('GET /customers', {
      query: { page_size: 10, ...(byEmail ? { autocomplete: said.email } : { ids: [said.id] }) },
      fields: ['id', 'first_name', 'last_name', 'email'],
    });
    const found = byEmail ? results.find(({ email }) => email?.toLowerCase() === said.email) : results[0];
    return found ? { id: found.id, label: nameOf({ customer: found }) } : null;
  };

  /** Checks a customer in. Returns false if the business has no check-ins. */
  const checkedIn = async (customer: number): Promise<boolean> => {
    if (!settings.data?.enabled || !event.venue) return false;
    await clientOf(business.id).call('POST /checkins', {
      body: { customer, venue: event.venue.id, date: dateAt(Date.now(), event.timezone) },
      fields: ['id'],
    });
    return true;
  };

  const submit = (sent: FormEvent): void => {
    sent.preventDefault();
    const code = text;
    setText('');
    field.current?.focus();
    if (code.trim() !== '') void checkIn(code);
  };
  return (
    <section className="card" aria-labelledby="scan">
      <h2 id="scan">{words.say('scan.title')}</h2>
      <form className="scan" onSubmit={submit}>
        <label>
          {words.say(may(business, 'customers') ? 'scan.field.email' : 'scan.field')}
          <input ref={field} value={text} autoComplete="off" onChange={({ target }) => setText(target.value)} />
        </label>
        <button type="submit">{words.say('scan.check_in')}</button>
        {hasCamera() ? (
          <button type="button" className="second" onClick={() => setLooking(true)}>
            <Icon of={camera} /> {words.say('scan.camera')}
          </button>
        ) : null}
      </form>
      <p role="status" className={news?.wrong ? 'error' : undefined}>
        {news?.text}
      </p>
      {looking ? (
        <Camera
          onClose={() => setLooking(false)}
          onCode={(code) => {
            setLooking(false);
            void checkIn(code);
          }}
        />
      ) : null}
    </section>
  );
}
