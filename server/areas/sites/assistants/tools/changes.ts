/** Tools that propose a change, and one that asks what became of it. No tool makes a change. */
import { filters, find, flat, link } from './asking.ts';
import { id, listOf, map, moneyText, oneOf, plannedTime, text } from '../../../../kernel/base/fields/kinds.ts';
import { formatDecimal } from '../../../../kernel/base/values/money.ts';
import { inPath, onlyReads } from './interface.ts';
import { supportsDryRun } from '../../../../kernel/api/contract.ts';
import { tool, type Tool } from '../tool.ts';
import type { Answer } from '../answer.ts';
import type { Exceeded } from '../limits.ts';
import type { Asked } from '../../../../kernel/api/calls.ts';
import type { Session } from '../session.ts';
import type { Shape, ValueOf } from '../../../../kernel/base/fields/field.ts';

const CONFIRM =
  'Nothing has changed yet. Tell the person the effects, give them the link, and then call commit with the handle: only they can confirm it, on that page.';

/** Returns why the assistant may not propose a change, with the limit. */
function refuseBeyond({ limit, most }: Exceeded, currency: string): Answer {
  const bound = limit === 'messages' ? `${most} messages` : `${formatDecimal({ minor: most, currency })} ${currency}`;
  return {
    says: [
      `Refused: the changes of this assistant may ${limit === 'messages' ? 'send' : 'move'} at most ${bound} in 24 hours for this person, and this one would exceed that. The person can make it on their own screen.`,
    ],
    isRefusal: true,
  };
}

/** Tries a change, records it as a proposal, and returns its effects, its handle and the page that confirms it. */
async function propose(
  session: Session,
  operation: string,
  asked: Pick<Asked, 'params' | 'query' | 'body'>,
): Promise<Answer> {
  const tried = await session.call(operation, { ...asked, query: { ...asked.query, dry_run: true } });
  const exceeded = await session.findExceeded(tried.effects ?? []);
  if (exceeded) return refuseBeyond(exceeded, session.currency);
  const effects = await session.inWords(tried.effects ?? []);
  const { handle, page } = await session.propose(operation, asked);
  return {
    says: [CONFIRM, `Handle: ${handle}`],
    data: { effects: effects.length === 0 ? 'Nothing else changes.' : effects },
    links: [link('Confirm here (valid for 15 minutes)', page)],
  };
}

interface Change<S extends Shape> extends Pick<Tool, 'name' | 'title' | 'description' | 'mode'> {
  readonly operation: string;
  readonly input: S;
  readonly asked: (input: ValueOf<S>) => Pick<Asked, 'params' | 'query' | 'body'>;
}

/** Returns a tool that proposes one operation. */
const proposing = <S extends Shape>({ operation, asked, description, ...rest }: Change<S>): Tool =>
  tool({
    ...rest,
    description: `${description} Proposes it: nothing changes until the person confirms.`,
    calls: [operation],
    changes: true,
    run: (session, input) => propose(session, operation, asked(input)),
  });

const event = () => id().describe('Id of the class, from find_classes.');
const customer = () => id().describe('Id of the customer, from find_customer.');
const member = () => id().optional().describe('Somebody else of the family, from my_account. Default: the person.');

/** Returns the body without what was left out. */
const given = (body: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));

const forEvent = ({ event: wanted, ...body }: { event: number } & Record<string, unknown>) => ({
  params: { id: wanted },
  body: given(body),
});

const notify = () =>
  text({ max: 5000 }).optional().describe('A message to the people who booked. Default: none is sent.');
const withMessage = (message: string | undefined) => message && { email: { send: true, message } };

export const changeTools: readonly Tool[] = [
  proposing({
    name: 'book_customer',
    title: 'Book a customer',
    description: 'Books a class for a customer.',
    mode: 'provider',
    operation: 'POST /events/{id}/register',
    input: { event: event(), customer: customer() },
    asked: forEvent,
  }),
  proposing({
    name: 'cancel_customer_booking',
    title: 'Cancel a customer’s booking',
    description: 'Cancels the booking of a customer.',
    mode: 'provider',
    operation: 'POST /events/{id}/unregister',
    input: { event: event(), customer: customer() },
    asked: forEvent,
  }),
  proposing({
    name: 'check_in_customer',
    title: 'Check in a customer',
    description: 'Checks in a customer who is booked.',
    mode: 'provider',
    operation: 'POST /events/{id}/confirm_attendance',
    input: { event: event(), customer: customer() },
    asked: forEvent,
  }),
  proposing({
    name: 'cancel_class',
    title: 'Cancel a class',
    description: 'Cancels a class, or its series from there on. Bookings end without counting as late.',
    mode: 'provider',
    operation: 'POST /events/{id}/cancel',
    input: { event: event(), applies_to: oneOf(['this', 'following', 'all']).optional(), message: notify() },
    asked: ({ message, ...rest }) => forEvent({ ...rest, notify: withMessage(message) }),
  }),
  proposing({
    name: 'change_class',
    title: 'Move or change a class',
    description: 'Moves a class to another time, or changes its instructors, name or number of places.',
    mode: 'provider',
    operation: 'PATCH /events/{id}',
    input: {
      event: event(),
      starts_at: plannedTime().optional(),
      ends_at: plannedTime().optional(),
      instructors: listOf(id(), { max: 20 }).optional().describe('Ids of the instructors.'),
      name: text({ max: 200 }).optional(),
      max_occupancy: id().optional().describe('Number of places.'),
      applies_to: oneOf(['this', 'following', 'all']).optional(),
      message: notify(),
    },
    asked: ({ message, ...rest }) => forEvent({ ...rest, notify: withMessage(message) }),
  }),
  proposing({
    name: 'refund',
    title: 'Refund a payment',
    description: 'Refunds a payment, whole or in part.',
    mode: 'provider',
    operation: 'POST /payments/{id}/refund',
    input: {
      payment: id().describe('Id of the payment, from customer_payments.'),
      amount: moneyText().optional().describe('For example 12.50. Default: all that can be refunded.'),
      reason: text({ max: 1000 }).describe('Customers can read it.'),
    },
    asked: ({ payment, ...body }) => ({ params: { id: payment }, body: given(body) }),
  }),
  proposing({
    name: 'book',
    title: 'Book a class',
    description: 'Books a class for the person or their family.',
    mode: 'customer',
    operation: 'POST /events/{id}/register',
    input: { event: event(), customer: member() },
    asked: forEvent,
  }),
  proposing({
    name: 'cancel_booking',
    title: 'Cancel a booking',
    description: 'Cancels a booking. The effects say whether it is late and what that costs.',
    mode: 'customer',
    operation: 'POST /events/{id}/unregister',
    input: { event: event(), customer: member() },
    asked: forEvent,
  }),
  proposing({
    name: 'join_waitlist',
    title: 'Join a waitlist',
    description: 'Joins the waitlist of a class that is full.',
    mode: 'customer',
    operation: 'POST /events/{id}/join_waitlist',
    input: { event: event(), customer: member() },
    asked: forEvent,
  }),
  proposing({
    name: 'leave_waitlist',
    title: 'Leave a waitlist',
    description: 'Leaves the waitlist of a class.',
    mode: 'customer',
    operation: 'POST /events/{id}/leave_waitlist',
    input: { event: event(), customer: member() },
    asked: forEvent,
  }),
  tool({
    name: 'propose',
    title: 'Propose any change',
    description:
      'Proposes a change with an operation from search and describe. Returns its effects and a page on which the person confirms it. Nothing changes until then.',
    calls: [],
    changes: true,
    input: {
      operation: text({ max: 200 }).describe('Method and path, for example "POST /business_closures/bulk_close".'),
      path: inPath(),
      query: filters(),
      body: map().optional().describe('As describe says.'),
    },
    run: async (session, { operation, path = {}, query = {}, body }) => {
      const one = find(session, operation);
      if (!one)
        return { says: ['There is no such operation for the caller. Use search to find one.'], isRefusal: true };
      if (onlyReads(one)) return { says: ['This operation changes nothing. Use read.'], isRefusal: true };
      if (!supportsDryRun(one) || one.acts !== 'write')
        return {
          says: ['This change can’t be tried first. The person can make it on their own screen.'],
          isRefusal: true,
        };
      return propose(session, `${one.method} ${one.path}`, {
        params: flat(path),
        query: flat(query),
        ...(one.body && { body: body ?? {} }),
      });
    },
  }),
  tool({
    name: 'commit',
    title: 'Have a proposal confirmed',
    description:
      'Asks the person to confirm a proposal, or says what became of it. It can’t confirm for them: they do it on the page of the proposal.',
    calls: [],
    changes: true,
    input: { handle: text({ max: 200 }).describe('The handle of the proposal.') },
    run: async (session, { handle }) => {
      const state = await session.proposalState(handle);
      const page = session.proposalPage(handle);
      switch (state) {
        case 'unknown':
          return { says: ['There is no such proposal. Propose the change again.'], isRefusal: true };
        case 'expired':
          return { says: ['The proposal has expired, and nothing has changed. Propose it again.'], isRefusal: true };
        case 'declined':
          return { says: ['The person declined. Nothing has changed.'] };
        case 'made':
          return { says: ['The person confirmed it. The change is made.'] };
        case 'waiting':
          return {
            says: ['The person has not confirmed it yet. Give them the link, and call commit again afterwards.'],
            links: [link('Confirm here', page)],
            confirms: page,
          };
      }
    },
  }),
];
