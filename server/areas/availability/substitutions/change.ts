/** Requests a substitute, offers to be one, and decides. */
import { action, create, one } from '../../../kernel/api/endpoint.ts';
import { changeEvent, CLASHES, SCHEDULE_PROBLEMS, takeEvents } from '../../scheduling/schedule/index.ts';
import { requestPayload, offersOf, openRequest, setOffers, type RequestRow } from './rows.ts';
import { insertWhole, updateRow } from '../../../kernel/work/unit/row.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { instructorFor, whoManages, whoTeaches } from './acting.ts';
import { invalid, Problem } from '../../../kernel/base/problem.ts';
import { judgeSubstitutes, type SubstitutedEvent } from '../hours/index.ts';
import { substituteRequestFeed } from './feed.ts';
import { ref, text } from '../../../kernel/base/fields/kinds.ts';
import { substituteRequest } from './substitute-request.ts';
import { substituteSettings } from './settings.ts';
import { SUBSTITUTION_PROBLEMS } from './problems.ts';
import { tellDeclined, tellFilled, tellOffered, tellWanted, tellWithdrawn } from './notify.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const forWhom = (who: string) =>
  ref('instructor')
    .optional()
    .describe(`${who} Default: the caller. Staff with \`manage_events\` can name another instructor.`);

const ENDED = 'This request has ended: a substitute was found, it was declined or withdrawn, or the event has changed.';

/** Returns the event, locked. The request is locked already, and must be open. */
async function eventOf(work: Work, request: RequestRow): Promise<Record<string, any>> {
  const [event] = await takeEvents(work, [request.event_id]);
  if (!(await openRequest(work, request.id))) throw new Problem('already_ended', ENDED);
  return event;
}

async function teaches({ tx, providerId }: Work, event: number, instructor: number): Promise<boolean> {
  const found = await tx.one(sql`SELECT FROM event_instructor
    WHERE provider_id = ${providerId} AND event_id = ${event} AND instructor_id = ${instructor}`);
  return found !== undefined;
}

const ask = create(substituteRequest, {
  path: '/substitute_requests',
  summary: 'Ask for a substitute',
  description:
    'Says that an instructor can’t teach an event. Managers are notified, and so is every instructor who could teach it. Until somebody else teaches it, the instructor still does.',
  tells: true,
  who: whoTeaches,
  body: {
    event: ref('event'),
    instructor: forWhom('Instructor who can’t teach it.'),
    message: text({ max: 1000 }).nullable().optional().describe('Message to managers and other instructors.'),
  },
  problems: [
    'permission_denied',
    'already_cancelled',
    'already_exists',
    SCHEDULE_PROBLEMS.event_started,
    SUBSTITUTION_PROBLEMS.not_teaching,
  ],
  run: async ({ work, body }) => {
    const instructor = await instructorFor(work, body.instructor);
    const [event] = await takeEvents(work, [body.event]);
    if (event.status === 'cancelled') throw new Problem('already_cancelled', 'The event is cancelled.');
    if (event.starts_at <= work.now)
      throw new Problem(SCHEDULE_PROBLEMS.event_started, 'The event has started. Nobody can take it over any more.');
    if (!(await teaches(work, event.id, instructor)))
      throw new Problem(SUBSTITUTION_PROBLEMS.not_teaching, 'The instructor doesn’t teach this event.');
    const row = await insertWhole<RequestRow>(work, 'substitute_request', {
      event_id: event.id,
      instructor_id: instructor,
      message: body.message ?? null,
    });
    work.record(substituteRequestFeed.created, row.id, { substitute_request: row.id, event: event.id, instructor });
    await tellWanted(work, row, event as SubstitutedEvent);
    return row.id;
  },
});

const end = (
  work: Work,
  { id }: RequestRow,
  values: Pick<Partial<RequestRow>, 'status' | 'substitute_id' | 'answer'>,
) => updateRow(work, 'substitute_request', id, { ...values, ended_at: instant(work.now) });

const withdraw = action({
  path: '/substitute_requests/{id}/withdraw',
  summary: 'Withdraw a request for a substitute',
  description: 'The instructor teaches the event after all. Instructors who offered to are notified.',
  tells: true,
  who: whoTeaches,
  target: substituteRequest,
  returns: one(substituteRequest),
  problems: ['permission_denied', 'already_ended'],
  run: async ({ work, target }) => {
    const request = target as RequestRow;
    await instructorFor(work, request.instructor_id);
    await eventOf(work, request);
    await end(work, request, { status: 'withdrawn' });
    work.record(substituteRequestFeed.withdrawn, request.id, requestPayload(request));
    await tellWithdrawn(work, request, await offersOf(work, request.id));
    return request.id;
  },
});

const decline = action({
  path: '/substitute_requests/{id}/decline',
  summary: 'Decline a request for a substitute',
  description: 'The instructor still teaches the event, and is notified.',
  tells: true,
  who: whoManages,
  target: substituteRequest,
  body: { answer: text({ max: 1000 }).nullable().optional().describe('Message to the instructor.') },
  returns: one(substituteRequest),
  problems: ['already_ended'],
  run: async ({ work, target, body: { answer = null } }) => {
    const request = target as RequestRow;
    await eventOf(work, request);
    await end(work, request, { status: 'declined', answer });
    work.record(substituteRequestFeed.declined, request.id, requestPayload(request));
    await tellDeclined(work, request, answer);
    await tellWithdrawn(work, request, await offersOf(work, request.id));
    return request.id;
  },
});

/**
 * Sets the substitute as instructor of the event. The change of the event notifies both instructors and the customers
 * who are booked.
 */
async function fill(
  work: Work,
  request: RequestRow,
  event: Record<string, any>,
  substitute: { readonly id: number; readonly name: string },
): Promise<void> {
  const taught = await work.tx.rows<{ id: number }>(
    sql`SELECT instructor_id AS id FROM event_instructor
      WHERE provider_id = ${work.providerId} AND event_id = ${event.id}`,
  );
  const stay = taught.map(({ id }) => id).filter((id) => id !== request.instructor_id);
  await changeEvent(work, event, { instructors: [...stay, substitute.id] });
  await end(work, request, { status: 'filled', substitute_id: substitute.id });
  const said = { substitute_request: request.id, event: event.id as number, instructor: substitute.id };
  work.record(substituteRequestFeed.filled, request.id, said);
  work.effect('request_filled', 'substitute_request', request.id, said);
  const others = (await offersOf(work, request.id)).filter((id) => id !== substitute.id);
  await tellFilled(work, request, others, substitute.name);
}

const offer = action({
  path: '/substitute_requests/{id}/offer',
  summary: 'Offer to teach an event instead',
  description:
    'Instructors can offer to teach what they could teach by the rules of `GET /events/{id}/substitutes`. If the settings say that a manager decides, managers are notified; otherwise the instructor teaches the event from now on.',
  tells: true,
  who: whoTeaches,
  target: substituteRequest,
  body: { instructor: forWhom('Instructor who would teach it.') },
  returns: one(substituteRequest),
  problems: ['permission_denied', 'already_ended', SUBSTITUTION_PROBLEMS.substitute_unavailable, ...CLASHES],
  run: async ({ work, target, body }) => {
    const request = target as RequestRow;
    const instructor = await instructorFor(work, body.instructor);
    const event = await eventOf(work, request);
    const [judged] = await judgeSubstitutes(work, event as SubstitutedEvent, instructor);
    if (!judged?.available)
      throw new Problem(
        SUBSTITUTION_PROBLEMS.substitute_unavailable,
        judged
          ? `${judged.name} can’t teach this event. ${judged.reasons.map(({ explanation }) => explanation).join(' ')}`
          : 'The instructor already teaches this event, or is archived.',
      );
    const { name } = judged;
    const offers = await offersOf(work, request.id);
    if (!(await substituteSettings(work)).needs_approval) await fill(work, request, event, { id: instructor, name });
    else if (!offers.includes(instructor)) {
      await setOffers(work, request.id, [...offers, instructor]);
      work.record(substituteRequestFeed.offered, request.id, { ...requestPayload(request), instructor });
      await tellOffered(work, request, { id: instructor, name });
    }
    return request.id;
  },
});

const takeBack = action({
  path: '/substitute_requests/{id}/take_back_offer',
  summary: 'Take back an offer to teach an event instead',
  who: whoTeaches,
  target: substituteRequest,
  body: { instructor: forWhom('Instructor who would no longer teach it.') },
  returns: one(substituteRequest),
  problems: ['permission_denied', 'already_ended'],
  run: async ({ work, target, body }) => {
    const request = target as RequestRow;
    const instructor = await instructorFor(work, body.instructor);
    await eventOf(work, request);
    const offers = await offersOf(work, request.id);
    if (!offers.includes(instructor)) return request.id;
    await setOffers(
      work,
      request.id,
      offers.filter((id) => id !== instructor),
    );
    work.record(substituteRequestFeed.offer_taken_back, request.id, { ...requestPayload(request), instructor });
    return request.id;
  },
});

const approve = action({
  path: '/substitute_requests/{id}/approve',
  summary: 'Choose a substitute from those who offered',
  description:
    'The instructor teaches the event from now on. Both instructors are notified, and so are the people who booked. To choose somebody who didn’t offer, send `instructors` with PATCH /events/{id}.',
  tells: true,
  who: whoManages,
  target: substituteRequest,
  body: { instructor: ref('instructor').describe('One of `offers`.') },
  returns: one(substituteRequest),
  problems: ['already_ended', ...CLASHES],
  run: async ({ work, target, body: { instructor } }) => {
    const request = target as RequestRow;
    const event = await eventOf(work, request);
    if (!(await offersOf(work, request.id)).includes(instructor))
      throw invalid('instructor', 'They haven’t offered to teach this event. Choose one of `offers`.');
    const chosen = await work.tx.one<{ name: string }>(
      sql`SELECT name FROM instructor WHERE provider_id = ${work.providerId} AND id = ${instructor}`,
    );
    await fill(work, request, event, { id: instructor, name: chosen!.name });
    return request.id;
  },
});

export const changeRequests = [ask, withdraw, decline, offer, takeBack, approve];
