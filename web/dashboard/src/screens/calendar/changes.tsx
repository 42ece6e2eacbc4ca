/** The changes to an event: each asks questions if necessary, is previewed and made, and can be undone. */
import { useCallback, type ReactNode } from 'react';
import { bodyOf, NO_ANSWERS, notifyOf, reasonOf, useAsk, type Answers, type Question } from './ask.tsx';
import { clientOf } from '../../app/client.ts';
import { dateOf } from './wall.ts';
import { longDay, type Put } from './columns.ts';
import { queries } from '../../app/calls.ts';
import { Refused } from 'rollcall-sdk';
import { timesFor, type Moved } from './placing.ts';
import { timesOfWalls } from './chip.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useBusiness } from '../../app/business.ts';
import { usePropose, type Proposal } from '../../changes/change.tsx';
import { words } from './words.ts';
import type { CalendarEvent } from './events.ts';

interface Asking extends Pick<Question, 'title' | 'about' | 'series' | 'people' | 'leaves'> {
  /** people are notified unless the person who makes the change decides otherwise */
  readonly notifies?: boolean;
}

export interface Changes {
  /** resolves when the change is made or abandoned */
  readonly move: (event: CalendarEvent, moved: Moved, put: Put) => Promise<void>;
  readonly cancel: (event: CalendarEvent) => Promise<void>;
  readonly reopen: (event: CalendarEvent) => Promise<void>;
  readonly teach: (event: CalendarEvent, instructors: readonly number[]) => Promise<void>;
  /** the dialog to render */
  readonly asking: ReactNode;
}

/** Formats the times for the user. */
const whenOf = ({ from, to }: { readonly from: number; readonly to: number }): string =>
  `${longDay(dateOf(from))}, ${timesOfWalls(from, to)}`;

export const hasPeople = (event: CalendarEvent): boolean =>
  event.attending_count + event.waiting_count + event.online_attending_count + event.online_waiting_count > 0;

export function useChanges(): Changes {
  const { id: business } = useBusiness();
  const propose = usePropose();
  const [ask, asking] = useAsk();

  const readAgain = useCallback(
    async () =>
      await Promise.all(
        ['GET /events', 'GET /events/{id}'].map((operation) =>
          queries.invalidateQueries({ queryKey: [business, operation] }),
        ),
      ),
    [business],
  );

  /** Asks, previews and makes the change; asks again if it is refused for a reason that other answers can resolve. */
  const change = useCallback(
    async <T,>(question: Asking, proposalOf: (answers: Answers) => Proposal<T>): Promise<void> => {
      let answers: Answers | null = { ...NO_ANSWERS, notify: question.notifies === true && question.people };
      let problem: Question['problem'] = null;
      for (;;) {
        if (problem || question.series || question.people) answers = await ask({ ...question, answers, problem });
        if (!answers) return;
        const outcome = await propose(proposalOf(answers));
        if (outcome.made) await readAgain();
        if (outcome.made || !outcome.problem || Object.keys(outcome.problem.field_errors).length === 0) return;
        ({ problem } = outcome);
      }
    },
    [ask, propose, readAgain],
  );

  /** Undoes an earlier change without a preview. */
  const putBack = useCallback(
    async (call: () => PromiseLike<unknown>): Promise<void> => {
      try {
        await call();
        toast({ text: words.say('put_back') });
      } catch (error) {
        toast({ wrong: true, text: error instanceof Refused ? reasonOf(error.problem) : words.say('not_put_back') });
      }
      await readAgain();
    },
    [readAgain],
  );

  const move = useCallback<Changes['move']>(
    (event, moved, put) => {
      const times = timesFor(event, moved);
      const before = {
        ...(times.starts_at !== undefined && { starts_at: event.starts_at }),
        ...(times.ends_at !== undefined && { ends_at: event.ends_at }),
        ...(put.venue !== undefined && { venue: event.venue?.id }),
        ...(put.venue_room !== undefined && { venue_room: event.venue_room?.id ?? null }),
        ...(put.instructors !== undefined && { instructors: event.instructors.map(({ id }) => id) }),
      };
      const sameDay = dateOf(moved.from) === dateOf(event.from);
      const title = words.say('move', { name: event.name });
      const about = (
        <p>
          <s className="soft">{whenOf(event)}</s>
          <br />
          {whenOf(moved)}
        </p>
      );
      const patch = (body: object, said: Answers) =>
        clientOf(business).call('PATCH /events/{id}', { params: { id: event.id }, body: { ...body, ...bodyOf(said) } });
      // The weekday of a series belongs to its rule: only one of its events can move to another day.
      return change({ title, about, series: event.series !== null && sameDay, people: hasPeople(event) }, (said) => ({
        title,
        ...(hasPeople(event) && { about }),
        confirm: words.say('move.confirm'),
        done: words.say('moved', { name: event.name, when: whenOf(moved) }),
        call: () => patch({ ...times, ...put }, said),
        undo: () => void putBack(() => patch(before, { ...said, message: '' })),
      }));
    },
    [business, change, putBack],
  );

  const reopen = useCallback<Changes['reopen']>(
    (event) => {
      const title = words.say('reopen', { name: event.name });
      return change({ title, series: false, people: true, notifies: true }, (said) => ({
        title,
        confirm: words.say('reopen.confirm'),
        done: words.say('reopened', { name: event.name }),
        call: () =>
          clientOf(business).call('POST /events/{id}/reopen', {
            params: { id: event.id },
            body: { ...notifyOf(said), ...(said.closed && { on_closed_day: true }) },
          }),
      }));
    },
    [business, change],
  );

  const cancel = useCallback<Changes['cancel']>(
    (event) => {
      const title = words.say('cancel', { name: event.name });
      const about = <p>{whenOf(event)}</p>;
      const asking = {
        title,
        about,
        series: event.series !== null,
        people: hasPeople(event),
        notifies: true,
        ...(event.attending_count + event.online_attending_count > 0 && { leaves: event }),
      };
      return change(asking, (said) => ({
        title,
        about,
        confirm: words.say('cancel.confirm'),
        grave: true,
        done: words.say('cancel.done', { name: event.name }),
        call: () =>
          clientOf(business).call('POST /events/{id}/cancel', {
            params: { id: event.id },
            body: {
              ...(said.reach === 'this'
                ? said.moveTo !== null && { move_bookings_to: said.moveTo }
                : { applies_to: said.reach }),
              ...notifyOf(said),
            },
          }),
        // Only this event of a series is reopened: the others have to be reopened one by one.
        ...(said.reach === 'this' && { undo: () => void reopen(event) }),
      }));
    },
    [business, change, reopen],
  );

  const teach = useCallback<Changes['teach']>(
    (event, instructors) => {
      const title = words.say('teach', { name: event.name });
      const patch = (ids: readonly number[], said: Answers) =>
        clientOf(business).call('PATCH /events/{id}', {
          params: { id: event.id },
          body: { instructors: ids, ...bodyOf(said) },
        });
      return change({ title, series: event.series !== null, people: hasPeople(event) }, (said) => ({
        title,
        confirm: words.say('teach.confirm'),
        done: words.say('taught', { name: event.name }),
        call: () => patch(instructors, said),
        undo: () =>
          void putBack(() =>
            patch(
              event.instructors.map(({ id }) => id),
              { ...said, message: '' },
            ),
          ),
      }));
    },
    [business, change, putBack],
  );

  return { move, cancel, reopen, teach, asking };
}
