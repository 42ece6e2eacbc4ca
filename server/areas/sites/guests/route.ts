/** The page of a purchase without an account, if the business allows it, and its form. */
import { buyAsGuest, type Selling } from './buy.ts';
import { EMPTY, readForm, withError, type Draft } from '../../../kernel/pages/form.ts';
import { Failure, translate } from '../../../kernel/api/requests/refusals.ts';
import { guestFields } from './fields.ts';
import { guestPage } from './views.ts';
import {
  received,
  memberOf,
  waitFor,
  type At,
  type Desk,
  withDone,
  writtenFor,
  type Business,
} from '../frame/index.ts';
import { hash, randomBytes } from 'node:crypto';
import { notFound } from '../../../kernel/base/problem.ts';
import { seeOther, type PageAnswer } from '../../../kernel/pages/visit.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';

/** Unguessable id of a form, so that it buys once. */
const FORM = /^[\w-]{22}$/;
const newForm = (): string => randomBytes(16).toString('base64url');

/** Returns the route. `selling` null: nothing is for sale now, and the page `from` says why. */
export function guestRoute(
  desk: Desk,
  path: string,
  { from, selling }: { from: (visit: At) => string; selling: (visit: At) => Promise<Selling | null> },
): PageRoute<Business> {
  /** Serves guests only; everybody else is redirected to their own page. */
  const forGuests = (act: (visit: At, what: Selling) => Promise<PageAnswer>) => async (visit: At) => {
    if (!visit.site.sellsToGuests) throw notFound();
    if (await memberOf(desk, visit)) return seeOther(from(visit));
    const what = await selling(visit);
    return what === null ? seeOther(from(visit)) : act(visit, what);
  };
  return {
    path,
    charged: 'credentials',
    get: forGuests(async (visit, what) => shown(visit, what, { ...EMPTY, kept: { ...what.start, form: newForm() } })),
    post: forGuests((visit, what) => sent(desk, visit, what)),
  };
}

const fieldsOf = (visit: At, { fields, questions }: Selling) => ({ ...fields, ...guestFields(visit), ...questions });

const shown = (visit: At, what: Selling, draft: Draft): PageAnswer =>
  guestPage(visit, what, fieldsOf(visit, what), draft);

async function sent(desk: Desk, visit: At, what: Selling): Promise<PageAnswer> {
  const { say } = writtenFor(visit);
  const { values, draft } = readForm(fieldsOf(visit, what), visit.sent, say);
  if (!values) return shown(visit, what, draft);
  if (!FORM.test(values.form)) return shown(visit, what, { ...draft, kept: { ...draft.kept, form: newForm() } });
  const buy = what.wanted(values, draft);
  if (typeof buy !== 'function') return shown(visit, what, buy);
  const { first_name, last_name, email, form } = values;
  const { from } = what;
  try {
    const answer = await buyAsGuest(desk, visit, {
      guest: { first_name, last_name, email },
      free: what.free,
      booked: what.booked,
      name: what.name,
      // Different field values on the same page are another purchase.
      fingerprint: hash('sha256', JSON.stringify([what.self, form, values])),
      from,
      answer: what.answer?.(values),
      buy,
    });
    if (answer.outcome !== 'begun') return shown(visit, what, withError(draft, '', waitFor(answer, say), 429));
    return seeOther(answer.path ?? withDone(from, 'booked'));
  } catch (error) {
    const problem = translate(error, desk.registry.constraints);
    if (problem instanceof Failure) throw error;
    if (problem.status === 404) throw problem;
    const said = received(desk, visit, problem);
    return shown(visit, what, what.refused?.(draft, said) ?? withError(draft, '', said.message, said.status));
  }
}
