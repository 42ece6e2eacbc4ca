/** The conditions of an action: all must be true when it is due. */
import {
  BLANK,
  COMPARISONS,
  CONDITION_TYPES,
  type Condition,
  type ConditionType,
  type Named,
  type Names,
} from './kinds.ts';
import { Field } from '../../ui/field.tsx';
import { words } from './words.ts';
import type { ErrorsOf } from '../../changes/proposal-form.tsx';

export interface ConditionsProps {
  readonly conditions: readonly Condition[];
  readonly onConditions: (conditions: readonly Condition[]) => void;
  readonly trigger: string;
  readonly names: Names;
  readonly errors: ErrorsOf;
}

export function Conditions({ conditions, onConditions, trigger, names, errors }: ConditionsProps) {
  const can: Partial<Record<ConditionType, boolean>> = {
    // Only a status change has an old and a new status.
    crm_status_change: trigger === 'customer_status.changed',
    customer_label: names.labels.length > 0,
    venue: names.venues.length > 0,
    customer_field: names.questions.length > 0,
  };
  const types = CONDITION_TYPES.filter((type) => can[type] ?? true);
  const put = (i: number, next: Condition): void => onConditions(conditions.with(i, next));
  return (
    <fieldset>
      <legend>{words.say('conditions')}</legend>
      {conditions.map((condition, i) => (
        // A condition is identified only by its position.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={i} className="condition" role="group" aria-label={words.say('condition', { n: i + 1 })}>
          <Parts
            condition={condition}
            onCondition={(next) => put(i, next)}
            names={names}
            at={`conditions.${i}`}
            errors={errors}
          />
          <button type="button" className="plain" onClick={() => onConditions(conditions.toSpliced(i, 1))}>
            {words.say('condition.remove')}
          </button>
        </div>
      ))}
      <Field label={words.say('condition.add')} errors={errors('conditions')}>
        <select
          name="conditions"
          value=""
          onChange={({ target: { value } }) => {
            const type = types.find((one) => one === value);
            if (type) onConditions([...conditions, firstOf(type, names)]);
          }}
        >
          <option value="">{words.say('choose')}</option>
          {types.map((type) => (
            <option key={type} value={type}>
              {words.say(`condition.${type}`)}
            </option>
          ))}
        </select>
      </Field>
    </fieldset>
  );
}

/** Returns a blank condition with the first possible choice. */
function firstOf(type: keyof typeof BLANK, { labels, venues, questions }: Names): Condition {
  if (type === 'customer_label') return { ...BLANK.customer_label, label: labels.at(0)?.value ?? '' };
  if (type === 'venue') return { ...BLANK.venue, venue: Number(venues.at(0)?.value ?? 0) };
  const [question] = questions;
  if (type === 'customer_field' && question)
    return { ...BLANK.customer_field, field: Number(question.value), value: question.answers.at(0)?.value ?? '' };
  return BLANK[type];
}

interface PartsProps {
  readonly condition: Condition;
  readonly onCondition: (condition: Condition) => void;
  readonly names: Names;
  /** prefix of its errors, such as `conditions.0` */
  readonly at: string;
  readonly errors: ErrorsOf;
}

function Parts({ condition, onCondition, names, at, errors }: PartsProps) {
  const select = (
    name: string,
    label: string,
    value: string,
    choices: readonly Named[],
    onValue: (value: string) => void,
  ) => (
    <Field label={label} errors={errors(`${at}.${name}`)}>
      <select name={`${at}.${name}`} value={value} onChange={({ target }) => onValue(target.value)}>
        {choices.map((one) => (
          <option key={one.value} value={one.value}>
            {one.name}
          </option>
        ))}
      </select>
    </Field>
  );
  const number = (name: string, label: string, value: number, onValue: (value: number) => void) => (
    <Field label={label} errors={errors(`${at}.${name}`)}>
      <input
        name={`${at}.${name}`}
        type="number"
        min={0}
        value={value}
        onChange={({ target }) => onValue(Number(target.value))}
      />
    </Field>
  );
  const isOrNot = [
    { value: 'equals', name: words.say('is') },
    { value: 'not_equals', name: words.say('is_not') },
  ];
  const comparisons = Object.entries(COMPARISONS).map(([value, name]) => ({ value, name }));
  const equality = (label: string, { operator }: { readonly operator: 'equals' | 'not_equals' }) =>
    select('operator', label, operator, isOrNot, (value) =>
      onCondition({ ...condition, operator: value === 'equals' ? 'equals' : 'not_equals' } as Condition),
    );
  const comparison = (label: string, { operator }: { readonly operator: keyof typeof COMPARISONS }) =>
    select('operator', label, operator, comparisons, (value) =>
      onCondition({ ...condition, operator: value } as Condition),
    );
  const none = { value: '', name: words.say('status.none') };
  switch (condition.condition_type) {
    case 'customer_label':
      return (
        <div className="pair">
          {equality(words.say('condition.customer_label'), condition)}
          {select('label', words.say('label'), condition.label, names.labels, (label) =>
            onCondition({ ...condition, label }),
          )}
        </div>
      );
    case 'customer_status':
      return (
        <div className="pair">
          {equality(words.say('condition.customer_status'), condition)}
          {select('status', words.say('status'), condition.status ?? '', [none, ...names.statuses], (status) =>
            onCondition({ ...condition, status: status || null }),
          )}
        </div>
      );
    case 'crm_status_change': {
      // Either side of a change can be any status.
      const any = { value: '*', name: words.say('any') };
      const side = (name: 'from' | 'to') =>
        select(
          name,
          words.say(`change.${name}`),
          condition[name] === undefined ? '*' : (condition[name] ?? ''),
          [any, none, ...names.statuses],
          (value) => {
            const { [name]: _before, ...rest } = condition;
            onCondition(value === '*' ? rest : { ...rest, [name]: value || null });
          },
        );
      return (
        <div className="pair">
          {side('from')}
          {side('to')}
        </div>
      );
    }
    case 'visits':
      return (
        <div className="pair">
          {comparison(words.say('condition.visits'), condition)}
          {number('count', words.say('visits.count'), condition.count, (count) => onCondition({ ...condition, count }))}
          {number('days', words.say('visits.days'), condition.days, (days) => onCondition({ ...condition, days }))}
        </div>
      );
    case 'days_since_last_visit':
      return (
        <div className="pair">
          {comparison(words.say('condition.days_since_last_visit'), condition)}
          {number('days', words.say('unit.D'), condition.days, (days) => onCondition({ ...condition, days }))}
        </div>
      );
    case 'upcoming_booking':
      return select(
        'value',
        words.say('condition.upcoming_booking'),
        String((condition.operator === 'equals') === condition.value),
        [
          { value: 'true', name: words.say('if.booking.yes') },
          { value: 'false', name: words.say('if.booking.no') },
        ],
        (value) => onCondition({ ...condition, operator: 'equals', value: value === 'true' }),
      );
    case 'age':
      return (
        <div className="pair">
          {comparison(words.say('condition.age'), condition)}
          {number('years', words.say('years'), condition.years, (years) => onCondition({ ...condition, years }))}
        </div>
      );
    case 'venue':
      return (
        <div className="pair">
          {equality(words.say('condition.venue'), condition)}
          {select('venue', words.say('venue'), String(condition.venue), names.venues, (venue) =>
            onCondition({ ...condition, venue: Number(venue) }),
          )}
        </div>
      );
    case 'customer_field': {
      const question = names.questions.find(({ value }) => value === String(condition.field));
      const answers = question?.answers ?? [];
      const nothing = { value: '', name: words.say('answer.none') };
      return (
        <div className="pair">
          {select('field', words.say('condition.customer_field'), String(condition.field), names.questions, (field) =>
            onCondition({
              ...condition,
              field: Number(field),
              value: names.questions.find((one) => one.value === field)?.answers.at(0)?.value ?? null,
            }),
          )}
          {equality(words.say('answer'), condition)}
          {answers.length > 0 ? (
            select('value', words.say('answer'), condition.value ?? '', [...answers, nothing], (value) =>
              onCondition({ ...condition, value: value || null }),
            )
          ) : (
            <Field label={words.say('answer')} hint={words.say('answer.hint')} errors={errors(`${at}.value`)}>
              <input
                name={`${at}.value`}
                maxLength={255}
                value={condition.value ?? ''}
                onChange={({ target: { value } }) => onCondition({ ...condition, value: value || null })}
              />
            </Field>
          )}
        </div>
      );
    }
    case 'membership_held':
      return (
        <div className="pair">
          {equality(words.say('condition.membership_held'), condition)}
          {select(
            'membership',
            words.say('membership'),
            String(condition.membership ?? ''),
            [{ value: '', name: words.say('any') }, ...names.memberships],
            (membership) => onCondition({ ...condition, membership: membership === '' ? null : Number(membership) }),
          )}
        </div>
      );
  }
}
