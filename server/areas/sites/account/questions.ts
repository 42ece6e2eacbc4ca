/** Questions of the business: a form of it, and what a person has told it, to be read and changed. */
import {
  accountPage,
  acting,
  answersIn,
  at,
  keptAnswers,
  memberPage,
  QUESTION,
  questionFields,
  questionsWritten,
  reading,
  received,
  withDone,
  withMissingExplanations,
  withReturn,
  withRefusedAnswers,
  type Asker,
  type Ask,
  type At,
  type Business,
  type Desk,
  type Outcome,
  type Person,
  type Question,
  type Turn,
} from '../frame/index.ts';
import { agreementsOfNewcomers } from './agreements.ts';
import { aboutPage, formPage, type AboutPerson, type FormView } from './views/questions.ts';
import { hidden, readForm, type Draft, type Values } from '../../../kernel/pages/form.ts';
import { leadBack } from './back.ts';
import { idIn } from '../../../kernel/pages/path-id.ts';
import { notFound, Problem } from '../../../kernel/base/problem.ts';
import { safeReturn } from '../../../kernel/pages/return-to.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { seeOther } from '../../../kernel/pages/visit.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';

type Written = ReturnType<typeof questionsWritten>;
type QuestionTurn = Turn<Written>;

const ABOUT = 'profile/about';
const backFields = { return_to: hidden(2000) };

export const questionRoutes = (desk: Desk): PageRoute<Business>[] => [
  ...formRoutes(desk),
  ...aboutRoutes(desk),
  ...newcomerRoutes(desk),
];

/** Reads the answers of a customer that they may see. */
const answersOf = async (ask: Ask, customer: number) =>
  (
    await ask('GET /customer_field_values', {
      query: { customers: String(customer), page_size: 200, fields: 'field,value' },
    })
  ).results as readonly { readonly field: number; readonly value: unknown }[];

/** @throws Problem 404 for anybody whom the member doesn't act for */
function personIn(people: readonly Person[] | null, id: number): Person {
  const one = people?.find((person) => person.id === id);
  if (!one) throw notFound();
  return one;
}

const readFormView = (desk: Desk, turn: Asker): Promise<FormView> =>
  reading(desk, turn, async ({ ask, people }) => {
    const { form_id, customer_id } = turn.visit.params;
    const person = personIn(people, idIn(customer_id));
    const form = await ask('GET /customer_forms/{id}', {
      params: { id: idIn(form_id) },
      query: { expand: 'fields', fields: FORM },
    });
    const questions: readonly Question[] = form.fields;
    return { name: form.name, person, questions, kept: keptAnswers(questions, await answersOf(ask, person.id)) };
  });

const FORM =
  'id,name,fields.id,fields.label,fields.full_text,fields.type,fields.explanation_required_condition,fields.choices,fields.help,fields.is_required';

/** Reads a form with questions, and acts with its answers. What is wrong is shown at the fields. */
async function withAnswers(
  desk: Desk,
  { visit, written: { say } }: QuestionTurn,
  questions: readonly Question[],
  act: (answers: ReturnType<typeof answersIn>, values: Values<typeof backFields>) => Promise<Outcome<Draft>>,
): Promise<Outcome<Draft>> {
  const { values, draft: read } = readForm({ ...backFields, ...questionFields(questions, say) }, visit.sent, say);
  const draft = withMissingExplanations(questions, visit.sent, read, say);
  if (!values || draft !== read) return { again: draft };
  try {
    return await act(answersIn(questions, values), values as Values<typeof backFields>);
  } catch (error) {
    if (!(error instanceof Problem) || error.status === 404) throw error;
    return { again: withRefusedAnswers(questions, draft, received(desk, visit, error)) };
  }
}

/** The page of one form for one person. A booking that needs it leads here, and `return_to` leads back. */
const formRoutes = (desk: Desk): PageRoute<Business>[] =>
  memberPage<Written, Draft>(desk, {
    path: '/{provider_id}/forms/{form_id}/{customer_id}',
    texts: questionsWritten,
    // With the way back, for a log-in in between.
    here: ({ path, query }) => (query.size === 0 ? path : `${path}?${query}`),
    show: async (turn, draft) => {
      const view = await readFormView(desk, turn);
      const back = safeReturn(turn.visit.query.get('return_to'), at(turn.visit.site, ABOUT));
      return formPage(turn.visit, turn.written, view, draft ?? { kept: { ...view.kept, return_to: back }, errors: {} });
    },
    forms: {
      '': async (turn) => {
        const { questions, person } = await readFormView(desk, turn);
        return withAnswers(desk, turn, questions, async (answers, { return_to: back }) => {
          const values = answers.map((one) => ({ ...one, customer: person.id }));
          await acting(desk, turn, async ({ ask }) =>
            ask('POST /customer_form_submissions', {
              body: { form: idIn(turn.visit.params.form_id), customer: person.id, values },
            }),
          );
          return leadBack(turn.visit.site, { back, page: ABOUT, done: 'answers' });
        });
      },
    },
  });

/** Reads what is asked and answered about each person. */
const readAbout = (desk: Desk, turn: Asker): Promise<readonly AboutPerson[] | null> =>
  reading(desk, turn, async ({ ask, people }) => {
    if (people === null) return null;
    const questions = await profileQuestions(ask);
    const { results: forms } = await ask('GET /customer_forms', { query: { page_size: 100, fields: 'id,name' } });
    const shown: AboutPerson[] = [];
    for (const person of people) {
      const { results: submitted } = await ask('GET /customer_form_submissions', {
        query: { customer: String(person.id), page_size: 100, fields: 'form,created_at' },
      });
      shown.push({
        person,
        questions,
        kept: keptAnswers(questions, await answersOf(ask, person.id)),
        forms: forms.flatMap(({ id, name }) => {
          const last = submitted.find((one) => one.form === id);
          return last ? [{ id, name, answeredAt: Date.parse(last.created_at) }] : [];
        }),
      });
    }
    return shown;
  });

/** Returns the questions that customers answer in their account. */
const profileQuestions = async (ask: Ask): Promise<readonly Question[]> =>
  (
    await ask('GET /customer_fields', { query: { page_size: 200, fields: `${QUESTION},show_on_customer_profile` } })
  ).results.filter((one) => one.show_on_customer_profile);

/** Returns true if the business asks its customers something that is shown in their account. */
export const asksCustomers = ({ door }: Desk, { site }: At): Promise<boolean> =>
  door.db.looking(site.id, async (tx) => {
    const row = await tx.one<{ asks: boolean }>(sql`
      SELECT EXISTS (SELECT FROM customer_field f WHERE f.provider_id = ${site.id} AND NOT f.archived
          AND f.show_on_customer_profile)
        OR EXISTS (SELECT FROM customer_form o WHERE o.provider_id = ${site.id} AND o.deleted_at IS NULL) AS asks`);
    return row!.asks;
  });

const aboutRoutes = (desk: Desk): PageRoute<Business>[] =>
  memberPage<Written, { readonly of: number; readonly draft: Draft }>(desk, {
    path: `/{provider_id}/${ABOUT}`,
    texts: questionsWritten,
    here: accountPage(ABOUT),
    show: async (turn, sent) => {
      const about = await readAbout(desk, turn);
      return about
        ? aboutPage(turn.visit, turn.written, about, sent ?? null)
        : seeOther(at(turn.visit.site, 'profile'));
    },
    forms: {
      '': async (turn) => {
        const customer = idIn(turn.visit.sent.get('customer'));
        const questions = await reading(desk, turn, async ({ ask, people }) => {
          personIn(people, customer);
          return profileQuestions(ask);
        });
        const next = await withAnswers(desk, turn, questions, async (answers) => {
          await saveAnswers(desk, turn, customer, answers);
          return withDone(at(turn.visit.site, ABOUT), 'answers');
        });
        return typeof next === 'object' && 'again' in next ? { again: { of: customer, draft: next.again } } : next;
      },
    },
  });

const saveAnswers = (desk: Desk, turn: Asker, id: number, field_values: ReturnType<typeof answersIn>) =>
  acting(desk, turn, ({ ask }) => ask('PATCH /customers/{id}', { params: { id }, body: { field_values } }));

/** Returns the questions for new customers that the person has not answered, and the first form for them. */
const readNewcomer = (desk: Desk, turn: Asker) =>
  reading(desk, turn, async ({ ask, people }) => {
    if (people === null) return null;
    const [me] = people;
    const answered = new Set((await answersOf(ask, me.id)).map(({ field }) => field));
    const { results: asked } = await ask('GET /customer_fields', {
      query: { applicable_scenario: 'customer_registration', archived: false, page_size: 100, fields: QUESTION },
    });
    const { results: forms } = await ask('GET /customer_forms', {
      query: { no_signup: false, page_size: 20, expand: 'fields', fields: 'id,fields.id' },
    });
    const { results: submitted } = await ask('GET /customer_form_submissions', {
      query: { customer: String(me.id), page_size: 100, fields: 'form' },
    });
    const form = forms.find(({ id, fields }) => fields.length > 0 && !submitted.some((one) => one.form === id));
    return {
      me,
      questions: asked.filter(({ id }) => !answered.has(id)) as readonly Question[],
      form: form?.id ?? null,
    };
  });

/** Questions that new customers answer once, right after they signed up. */
const newcomerRoutes = (desk: Desk): PageRoute<Business>[] =>
  memberPage<Written, Draft>(desk, {
    path: '/{provider_id}/questions',
    texts: questionsWritten,
    here: ({ path, query }) => (query.size === 0 ? path : `${path}?${query}`),
    show: async (turn, draft) => {
      const { visit, written } = turn;
      const back = safeReturn(draft?.kept.return_to ?? visit.query.get('return_to'), at(visit.site, 'profile'));
      const found = await readNewcomer(desk, turn);
      if (found === null) return seeOther(back);
      const { me, questions, form } = found;
      if (questions.length === 0)
        return seeOther(
          form === null
            ? agreementsOfNewcomers(visit.site, back)
            : `${at(visit.site, `forms/${form}/${me.id}`)}?return_to=${encodeURIComponent(withReturn(visit.path, back))}`,
        );
      const view = { name: null, person: me, questions, kept: {} };
      return formPage(visit, written, view, draft ?? { kept: { return_to: back }, errors: {} });
    },
    forms: {
      '': async (turn) => {
        const found = await readNewcomer(desk, turn);
        const here = at(turn.visit.site, 'questions');
        if (found === null || found.questions.length === 0) return here;
        return withAnswers(desk, turn, found.questions, async (answers, { return_to: back }) => {
          await saveAnswers(desk, turn, found.me.id, answers);
          return `${here}?return_to=${encodeURIComponent(back)}`;
        });
      },
    },
  });
