/** The customer's answers to the questions of the business, and the forms that they submitted. */
import { useState } from 'react';
import type { ItemOf } from 'rollcall-sdk';
import { clientOf } from '../../../app/client.ts';
import { AnswerField, answerIn } from './answer-field.tsx';
import { answerText } from '../../../person/answer-text.ts';
import { Failed, Loading } from '../../../ui/states.tsx';
import { Listed, None } from '../../../ui/listed.tsx';
import { momentOf } from '../../../words/times.ts';
import { ProposalForm } from '../../../changes/proposal-form.tsx';
import { useBusiness } from '../../../app/business.ts';
import { useCall } from '../../../app/calls.ts';
import { usePages } from '../../../app/pages.ts';
import { words } from './words.ts';
import type { TabProps } from './person.ts';

export type Question = ItemOf<'GET /customer_fields'>;

export function Answers({ person }: TabProps) {
  const questions = useCall('GET /customer_fields', { query: { archived: false, page_size: 100 } });
  const answers = useCall('GET /customer_field_values', { query: { customers: [person.id], page_size: 100 } });
  const [edited, setEdited] = useState<Question | null>(null);
  const error = questions.error ?? answers.error;
  if (error) return <Failed error={error} again={() => void Promise.all([questions.refetch(), answers.refetch()])} />;
  if (!questions.data || !answers.data) return <Loading />;
  const given = new Map(answers.data.results.map((one) => [Number(one.field), one.value]));
  return (
    <>
      {questions.data.results.length === 0 ? <None text={words.say('answers.none')} /> : null}
      <ul className="rows">
        {questions.data.results.map((question) => (
          <li key={question.id}>
            <span>
              <span className="soft small">{question.label}</span>
              <span className="said" style={{ display: 'block' }}>
                {given.has(question.id) ? <Answer question={question} value={given.get(question.id)} /> : '–'}
              </span>
            </span>
            <span className="end">
              <button type="button" className="plain" onClick={() => setEdited(question)}>
                {words.say('edit')}
              </button>
            </span>
          </li>
        ))}
      </ul>
      <Submissions person={person} />
      {edited ? (
        <AnswerForm
          question={edited}
          value={given.get(edited.id)}
          customer={person.id}
          onClose={() => {
            setEdited(null);
            void answers.refetch();
          }}
        />
      ) : null}
    </>
  );
}

function Answer({ question, value }: { readonly question: Question; readonly value: unknown }) {
  const { timezone } = useBusiness();
  return <>{answerText(question.type, value, timezone)}</>;
}

function Submissions({ person }: TabProps) {
  const { timezone } = useBusiness();
  const list = usePages('GET /customer_form_submissions', {
    query: { customer: [person.id], sort: ['-created_at'], page_size: 20 },
    fields: ['id', 'form.name', 'created_at'],
  });
  if (list.data?.pages[0]?.results.length === 0) return null;
  return (
    <>
      <h3>{words.say('answers.forms')}</h3>
      <Listed list={list} none="" next={[]}>
        {(all) => (
          <ul className="rows">
            {all.map(({ id, form, created_at }) => (
              <li key={id}>
                <span>{form?.name ?? words.say('answers.form_gone')}</span>
                <span className="end soft">{momentOf(created_at, timezone)}</span>
              </li>
            ))}
          </ul>
        )}
      </Listed>
    </>
  );
}

interface AnswerFormProps {
  readonly question: Question;
  readonly value: unknown;
  readonly customer: number;
  readonly onClose: () => void;
}

function AnswerForm({ question, value, customer, onClose }: AnswerFormProps) {
  const { id: business } = useBusiness();
  return (
    <ProposalForm
      title={question.label}
      onClose={onClose}
      submit={words.say('save')}
      proposal={(entered) => ({
        title: question.label,
        confirm: words.say('save'),
        done: words.say('answers.saved'),
        call: () =>
          clientOf(business).call('PATCH /customers/{id}', {
            params: { id: customer },
            body: { field_values: [{ field: question.id, value: answerIn(question.type, entered) }] },
          }),
      })}
    >
      {(errors) => <AnswerField question={question} value={value} errors={errors('field_values.0.value')} />}
    </ProposalForm>
  );
}
