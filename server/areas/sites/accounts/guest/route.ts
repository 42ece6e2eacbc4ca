/** The address of a page where something is bought without an account, if the business allows it, and what its form does. */
import type { Booked } from './booking.ts';
import { buyAsGuest, type Buy } from './buy.ts';
import { EMPTY, readForm, withError, type Draft, type Fields } from '../../../../kernel/pages/form.ts';
import { Failure, translate } from '../../../../kernel/api/refusals.ts';
import { guestFields } from './fields.ts';
import { guestPage } from './views.ts';
import { received, memberOf, waitFor, type At, type Desk } from '../desk.ts';
import { hash, randomBytes } from 'node:crypto';
import { notFound, type Problem } from '../../../../kernel/base/problem.ts';
import { seeOther, type PageAnswer } from '../../../../kernel/pages/visit.ts';
import { withDone } from '../views/parts.ts';
import { writtenFor } from '../catalog.ts';
import type { Business } from '../business.ts';
import type { Html } from '../../../../kernel/base/markup/html.ts';
import type { PageRoute } from '../../../../kernel/pages/pages.ts';

/** What is bought on such a page. */
export interface Selling {
  /** path of this page */
  readonly self: string;
  /** path of the page that people come from, where those who are logged in buy it */
  readonly from: string;
  readonly name: string;
  readonly about: Html | null;
  /** there is nothing to pay */
  readonly free: boolean;
  /** what is booked where there is nothing to pay: it is held until the email is answered; null: it is no booking */
  readonly booked: Booked | null;
  /** asked besides who they are */
  readonly fields: Fields;
  /** what stands in them before anybody has filled them in */
  readonly start?: Readonly<Record<string, string>>;
  /** what is to be bought; a draft: what is wrong with what was sent */
  readonly wanted: (values: Readonly<Record<string, any>>, draft: Draft) => Buy | Draft;
  /** the draft of what the interface refuses, where its fields are known */
  readonly refused?: (draft: Draft, problem: Problem) => Draft;
}

/** Of the form on a page, so that it is bought once: nobody else has it. */
const FORM = /^[\w-]{22}$/;
const newForm = (): string => randomBytes(16).toString('base64url');

/** `selling` null: it can't be bought now, and the page `from` says why. */
export function guestRoute(
  desk: Desk,
  path: string,
  { from, selling }: { from: (visit: At) => string; selling: (visit: At) => Promise<Selling | null> },
): PageRoute<Business> {
  /** Everybody else goes to the page that is for them. */
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

const fieldsOf = (visit: At, { fields }: Selling) => ({ ...fields, ...guestFields(visit) });

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
      // Another name or number on the same page is another purchase.
      fingerprint: hash('sha256', JSON.stringify([what.self, form, values])),
      from,
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
