/** Ending a recurring plan on the agreed terms, after an exact preview, and keeping it after all. */
import {
  acting,
  at,
  effectsOf,
  memberPage,
  numberIn,
  refusedDraft,
  textIn,
  withDone,
  writtenFor,
  type AccountWritten,
  type Ask,
  type Asker,
  type Business,
  type Desk,
  type Outcome,
  type Turn,
} from '../frame/index.ts';
import { EMPTY, withError, type Draft } from '../../../kernel/pages/form.ts';
import { endedPage, endPage, type Ending, type EndingView } from './views/ends.ts';
import { listConsequences, versionOf } from './follows.ts';
import { idIn } from '../../../kernel/pages/path-id.ts';
import { notFound } from '../../../kernel/base/problem.ts';
import type { PageAnswer } from '../../../kernel/pages/visit.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';

export const endPath = (site: Business, customerMembership: number): string =>
  at(site, `profile/memberships/${customerMembership}/end`);

export const endRoutes = (desk: Desk): PageRoute<Business>[] =>
  memberPage<AccountWritten, Draft>(desk, {
    path: '/{provider_id}/profile/memberships/{customermembership_id}/end',
    texts: writtenFor,
    here: ({ path }) => path,
    show: (turn, draft = EMPTY) => show(desk, turn, draft),
    forms: { '': (turn) => decide(desk, turn) },
    refused: ({ visit }, error) => refusedDraft(desk, visit, EMPTY, error),
  });

const FIELDS =
  'id,name,customer,status,expiration_date,is_set_for_cancellation,cancelled_by_customer,customers_can_hold,active_hold,next_billing_date,allowed_cancellation_date';

/**
 * Calls `act` with the membership in the address.
 * @throws Problem 404 unless it belongs to the person or to somebody whom they act for
 */
function actingOn<T>(desk: Desk, turn: Asker, act: (ask: Ask, view: EndingView) => Promise<T>): Promise<T> {
  const id = idIn(turn.visit.params.customermembership_id);
  return acting(desk, turn, async ({ ask, people }) => {
    const { results } = await ask('GET /customer_memberships', { query: { ids: id, fields: FIELDS } });
    const [one] = results;
    const owner = people?.find((person) => person.id === one?.customer);
    if (!owner) throw notFound();
    const over = one.status === 'completed' || one.status === 'cancelled';
    return act(ask, {
      id,
      name: one.name,
      forWhom: owner.name,
      state: over ? 'over' : one.is_set_for_cancellation ? 'ends' : 'continues',
      renews: one.allowed_cancellation_date !== null,
      lastDay: one.expiration_date,
      nextPayment: one.next_billing_date,
      own: one.cancelled_by_customer,
      canPause: one.customers_can_hold && one.active_hold === null,
    });
  });
}

const params = ({ id }: EndingView) => ({ id });

/** Returns what ending it now would mean, from a dry run of the same call. */
async function previewOf(ask: Ask, view: EndingView): Promise<Ending> {
  const { effects } = await ask('POST /customer_memberships/{id}/cancel', {
    params: params(view),
    query: { dry_run: true },
    body: {},
  });
  const [{ detail }] = effectsOf(effects, 'cancellation_scheduled');
  return {
    lastDay: textIn(detail, 'last_day'),
    noticeDays: detail.notice_days === null ? 0 : numberIn(detail, 'notice_days'),
    committedUntil: detail.committed_until === null ? null : textIn(detail, 'committed_until'),
    payments: effectsOf(effects, 'payment_due').map((payment) => ({
      dueOn: textIn(payment.detail, 'due_date'),
      amount: numberIn(payment.detail, 'amount_minor'),
    })),
    follows: await listConsequences(ask, effects),
  };
}

async function show(desk: Desk, turn: Asker, draft: Draft): Promise<PageAnswer> {
  const { visit } = turn;
  return actingOn(desk, turn, async (ask, view) => {
    if (view.state !== 'continues' || !view.renews) return endedPage(visit, view, draft);
    const ending = await previewOf(ask, view);
    return endPage(visit, view, { ending, version: versionOf(ending), draft });
  });
}

async function decide(desk: Desk, turn: Turn<AccountWritten>): Promise<Outcome<Draft>> {
  const { visit, written } = turn;
  const keeps = visit.sent.get('act') === 'keep';
  const found = await actingOn(desk, turn, async (ask, view) => ({
    view,
    version: !keeps && view.state === 'continues' && view.renews ? versionOf(await previewOf(ask, view)) : null,
  }));
  const page = endPath(visit.site, found.view.id);
  // The button was pressed twice, or somebody else was faster: the page shows how it is.
  if (found.view.state !== (keeps ? 'ends' : 'continues')) return page;
  if (!keeps && found.version !== null && visit.sent.get('seen') !== found.version)
    return { again: withError(EMPTY, '', written.say('end.changed'), 409) };
  const operation = keeps ? 'POST /customer_memberships/{id}/reactivate' : 'POST /customer_memberships/{id}/cancel';
  await actingOn(desk, turn, (ask, view) => ask(operation, { params: params(view), body: {} }));
  return withDone(page, keeps ? 'membership-kept' : 'membership-ended');
}
