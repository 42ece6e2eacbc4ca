/**
 * The flow of a page: one description says at which address it is, what it reads and shows, which forms it has, and
 * where each result leads. Log-in, redirects, refusals and the remembered language are the same for all pages.
 */
import { askAs, memberOf, received, refusal, type At, type Desk, type Member } from './desk.ts';
import { at } from './entrance.ts';
import { loadStaffViewer, eyesOfBearer, type Bearer, type Person } from './staff-viewer.ts';
import { notFound, Problem } from '../../../kernel/base/problem.ts';
import type { Refused } from './views/ways-on.ts';
import { readForm, withError, type Draft, type Fields } from '../../../kernel/pages/form.ts';
import { seeOther, type PageAnswer } from '../../../kernel/pages/visit.ts';
import { withReturn } from './views/parts.ts';
import type { Ask } from './ask.ts';
import type { Say } from '../../../kernel/base/languages/catalog.ts';
import type { Business } from './business.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';
import type { Viewer } from '../../../kernel/work/access/viewer.ts';

/** One request of a page: its visit, the person, and the texts in their language. */
export interface Turn<Written, Who extends Member | null = Member> {
  readonly visit: At;
  readonly member: Who;
  readonly written: Written;
}

/** Result of a form: the address where the browser continues, another answer, or the same page with a message. */
export type Outcome<Said> = string | PageAnswer | { readonly again: Said };

interface Described<Written, Said, Look, Send> {
  /** parameters in braces */
  readonly path: string;
  readonly texts: (visit: At) => Written;
  /** address of the page, where people return to after a log-in and from the addresses of its forms */
  readonly here: (visit: At) => string;
  /** reads and renders the page. `said`: what a form has to say */
  readonly show: (turn: Look, said?: Said) => PageAnswer | Promise<PageAnswer>;
  /** by the end of their paths; `''` is sent to the page itself. @throws Problem a refusal, for `refused` */
  readonly forms?: Readonly<Record<string, (turn: Send) => Promise<Outcome<Said>>>>;
  /** names of forms that send codes or passwords */
  readonly credentials?: readonly string[];
  /**
   * address of what has to be completed before a form, for a refusal that names it; absent: the page of the first one,
   * which leads back here
   */
  readonly before?: (visit: At, problem: Problem) => string;
  /** what the page says about a refusal; rethrows what becomes a page of its own. Absent: forms handle theirs */
  readonly refused?: (turn: Send, error: unknown) => Said;
}

/** The description of a page. `Look` is what showing it needs, `Send` what its forms need. */
export interface PageFlow<Written, Said, Look, Send extends Look> extends Described<Written, Said, Look, Send> {
  /** finds what the page needs, or answers instead, for example with the log-in */
  readonly look: (visit: At, written: Written) => Promise<Look | PageAnswer>;
  readonly send: (visit: At, written: Written) => Promise<Send | PageAnswer>;
}

/** Returns true for a refusal that ends once somebody completes what is required. */
export const hasRequirements = (error: unknown): error is Problem =>
  error instanceof Problem && error.requirements.length > 0;

const isAnswer = (found: object): found is PageAnswer => 'kind' in found;

/** Returns the routes of a page and its forms. */
export function pageFlow<Written, Said, Look extends object, Send extends Look>({
  path,
  texts,
  here,
  show,
  forms: { '': own, ...others } = {},
  credentials = [],
  refused,
  before = (visit, problem) => withReturn(problem.requirements[0].path, here(visit)),
  look,
  send,
}: PageFlow<Written, Said, Look, Send>): PageRoute<Business>[] {
  const post = (act: (turn: Send) => Promise<Outcome<Said>>) => async (visit: At) => {
    const turn = await send(visit, texts(visit));
    if (isAnswer(turn)) return turn;
    const next = await act(turn).catch((error) => {
      if (hasRequirements(error)) return before(visit, error);
      if (!refused) throw error;
      return { again: refused(turn, error) };
    });
    if (typeof next === 'string') return seeOther(next);
    return 'again' in next ? show(turn, next.again) : next;
  };
  const charged = (name: string) => (credentials.includes(name) ? 'credentials' : 'page');
  return [
    {
      path,
      charged: charged(''),
      get: async (visit) => {
        const turn = await look(visit, texts(visit));
        return isAnswer(turn) ? turn : show(turn);
      },
      ...(own && { post: post(own) }),
    },
    ...Object.entries(others).map(([name, act]): PageRoute<Business> => ({
      path: `${path}/${name}`,
      charged: charged(name),
      get: async (visit) => {
        // After a refused form, its address stays in the browser, where somebody may choose a language.
        texts(visit);
        return seeOther(here(visit));
      },
      post: post(act),
    })),
  ];
}

/** Returns the routes of a page for everybody. Its forms need a log-in. */
export const openPage = <Written, Said = never>(
  desk: Desk,
  page: Described<Written, Said, Turn<Written, Member | null>, Turn<Written>>,
): PageRoute<Business>[] =>
  pageFlow({
    ...page,
    look: async (visit, written) => ({ visit, written, member: await memberOf(desk, visit) }),
    send: loggedIn(desk, page.here),
  });

/** Returns the routes of a page for people who are logged in. */
export const memberPage = <Written, Said = never>(
  desk: Desk,
  page: Described<Written, Said, Turn<Written>, Turn<Written>>,
): PageRoute<Business>[] => pageFlow({ ...page, look: loggedIn(desk, page.here), send: loggedIn(desk, page.here) });

const loggedIn =
  (desk: Desk, here: (visit: At) => string) =>
  async <Written>(visit: At, written: Written): Promise<Turn<Written> | PageAnswer> => {
    const [page, member] = [here(visit), await memberOf(desk, visit)];
    return member ? { visit, written, member } : seeOther(withReturn(at(visit.site, 'log-in'), page));
  };

/** Returns the address of a page below the account pages of the business, for `here`. */
export const accountPage =
  (page: string) =>
  ({ site }: At): string =>
    at(site, page);

/** Returns the values of a form. @throws Problem 404 if they can't come from our page */
export function valuesIn<F extends Fields>(fields: F, { sent }: At) {
  const { values } = readForm(fields, sent);
  if (!values) throw notFound();
  return values;
}

/** Returns the field of a form that shows what the interface says about a property; null: it has none. */
export type FieldOf = (property: string) => string | null;

/** Returns the form with a refusal at its fields, or at its top. @throws any other error, and 404 */
export function refusedDraft(
  desk: Pick<Desk, 'registry'>,
  visit: At,
  draft: Draft,
  error: unknown,
  fieldOf: FieldOf = () => null,
): Draft {
  if (!(error instanceof Problem) || error.status === 404) throw error;
  const { message, status, fields } = received(desk, visit, error);
  const named = Object.entries(fields).flatMap(([name, [text]]) => {
    const field = fieldOf(name);
    return field === null ? [] : [[field, text] as const];
  });
  return named.length === 0
    ? withError(draft, '', message, status)
    : named.reduce((all, [field, text]) => withError(all, field, text, 422), draft);
}

/** Acts with the values of a form. What is wrong with them, and a refusal, is shown at the fields. */
export async function withForm<F extends Fields>(
  desk: Desk,
  { visit, written }: Turn<{ readonly say: Say<any> }, Member | null>,
  fields: F,
  act: (values: NonNullable<ReturnType<typeof readForm<F>>['values']>, draft: Draft) => Promise<Outcome<Draft>>,
  fieldOf?: FieldOf,
): Promise<Outcome<Draft>> {
  const { values, draft } = readForm(fields, visit.sent, written.say);
  if (!values) return { again: draft };
  try {
    return await act(values, draft);
  } catch (error) {
    return { again: refusedDraft(desk, visit, draft, error, fieldOf) };
  }
}

/** Returns a function for `refused` of a page that offers a way on after the message. */
export const refusedAt =
  (desk: Desk) =>
  ({ visit }: { readonly visit: At }, error: unknown): Refused => ({
    text: refusal(desk, visit, error),
    code: error instanceof Problem ? error.code : null,
  });

/** The person who reads a page, within a transaction. */
export interface Acting {
  readonly ask: Ask;
  readonly tx: Transaction;
  readonly viewer: Viewer;
  /** the people whom they act for, themselves first; null: they are not a customer here */
  readonly people: readonly Person[] | null;
}

/** A request and the person who makes it; `bearer`: by a signed link, whoever is logged in. */
export type Asker = Pick<Turn<unknown, Member | null>, 'visit' | 'member'> & { readonly bearer?: Bearer };

async function actingIn(desk: Desk, { visit, member, bearer }: Asker, tx: Transaction): Promise<Acting> {
  const { viewer, people } = await (bearer ? eyesOfBearer(tx, visit, bearer) : loadStaffViewer(tx, visit, member));
  return { ask: askAs(desk, visit, viewer, tx), tx, viewer, people };
}

/** Calls the interface as the person who reads the page, in one transaction. */
export const acting = <T>(desk: Desk, turn: Asker, act: (as: Acting) => Promise<T>): Promise<T> =>
  desk.door.db.transaction(turn.visit.site.id, async (tx) => act(await actingIn(desk, turn, tx)));

/** Reads from the interface as the person who reads the page; writes nothing. */
export const reading = <T>(desk: Desk, turn: Asker, read: (as: Acting) => Promise<T>): Promise<T> =>
  desk.door.db.looking(turn.visit.site.id, async (tx) => read(await actingIn(desk, turn, tx)));
