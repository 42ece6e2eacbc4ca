/** The filters of the customer list, all stored in the address. */
import { useEffect, useState } from 'react';
import { may, useBusiness } from '../../app/business.ts';
import { useAddress } from '../../app/address.ts';
import { useLabels, useStatuses } from '../../app/customers.ts';
import { useCall } from '../../app/calls.ts';
import { useDeferred } from '../../app/deferred.ts';
import { words } from './words.ts';

const MAX_ROWS = 100;

export const FILTERS = [
  'query',
  'status',
  'label',
  'membership',
  'age_gte',
  'age_lte',
  'answers',
  'participating',
  'deleted',
  'can_delete',
] as const;

export function Filters() {
  const business = useBusiness();
  const [address, change] = useAddress();
  const seesAll = may(business, 'customers');
  const labels = useLabels(seesAll);
  const statuses = useStatuses(seesAll);
  const memberships = useCall('GET /memberships', {
    query: { archived: false, sort: ['name'], page_size: MAX_ROWS },
    fields: ['id', 'name'],
  });
  const answers = useAnswers();
  const choose = (name: (typeof FILTERS)[number], choices: readonly (readonly [string, string])[]) => (
    <label>
      {words.say(`filter.${name}` as 'filter.status')}
      <select value={address[name] ?? ''} onChange={(event) => change({ [name]: event.target.value })}>
        <option value="">{words.say('filter.any')}</option>
        {choices.map(([value, said]) => (
          <option key={value} value={value}>
            {said}
          </option>
        ))}
      </select>
    </label>
  );
  const isFiltered = FILTERS.some((name) => address[name]);
  return (
    <div className="tools" role="search" aria-label={words.say('filters')}>
      <Typed name="query" type="search" wide />
      {seesAll
        ? choose('status', [
            ...(statuses.data?.results ?? []).map(({ slug, name }) => [slug, name] as const),
            ['null', words.say('filter.none')],
          ])
        : null}
      {seesAll
        ? choose(
            'label',
            (labels.data?.results ?? []).map(({ id, name }) => [String(id), name] as const),
          )
        : null}
      {choose(
        'membership',
        (memberships.data?.results ?? []).map(({ id, name }) => [String(id), name] as const),
      )}
      <details
        className="more-filters"
        open={Boolean(address.age_gte || address.age_lte || address.answers || address.participating)}
      >
        <summary>{words.say('filter.more')}</summary>
        <div className="tools">
          {seesAll ? <Typed name="age_gte" type="number" /> : null}
          {seesAll ? <Typed name="age_lte" type="number" /> : null}
          {answers.length > 0 ? choose('answers', answers) : null}
          {choose('participating', [
            ['true', words.say('participating.true')],
            ['false', words.say('participating.false')],
          ])}
          {may(business, 'super_admin') ? choose('can_delete', [['true', words.say('can_delete.true')]]) : null}
          {choose('deleted', [['true', words.say('deleted.true')]])}
        </div>
      </details>
      {isFiltered ? (
        <button
          type="button"
          className="plain"
          onClick={() => change(Object.fromEntries(FILTERS.map((name) => [name, undefined])))}
        >
          {words.say('filter.clear')}
        </button>
      ) : null}
    </div>
  );
}

/** Returns the conditions about answers that can be chosen; a value with a comma can't be in an address. */
function useAnswers(): readonly (readonly [condition: string, said: string])[] {
  const questions = useCall('GET /customer_fields', {
    query: { archived: false, page_size: MAX_ROWS },
    fields: ['key', 'label', 'type', 'choices', 'is_sensitive'],
  });
  return (questions.data?.results ?? []).flatMap(({ key, label, type, choices, is_sensitive: sensitive }) => {
    const values: readonly (readonly [string, string])[] = sensitive
      ? []
      : type === 'boolean'
        ? (['yes', 'no'] as const).map((value) => [value, words.say(`answer.${value}`)])
        : choices.flatMap(({ value }) => (value.includes(',') ? [] : [[value, value] as const]));
    const others = [['*', words.say('answer.given')] as const, ['none', words.say('answer.missing')] as const];
    return [...values, ...others].map(([value, said]) => [`${key}:${value}`, `${label}: ${said}`] as const);
  });
}

interface TypedProps {
  readonly name: 'query' | 'age_gte' | 'age_lte';
  readonly type: 'search' | 'number';
  readonly wide?: boolean;
}

/** A text field that updates the address once nothing was typed for a moment. */
function Typed({ name, type, wide = false }: TypedProps) {
  const [address, change] = useAddress();
  const known = address[name] ?? '';
  const [text, setText] = useState(known);
  const [last, setLast] = useState(known);
  const [sent, setSent] = useState(known);
  // The address changed in another way: by a link, or by going back. Text may have been typed in the meantime.
  if (known !== last) {
    setLast(known);
    if (known !== sent) setText(known);
  }
  const settled = useDeferred(text, 250).trim();
  useEffect(() => {
    if (settled === known || settled !== text.trim()) return;
    setSent(settled);
    change({ [name]: settled });
    // Only typing changes the address.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [settled]);
  return (
    <label className={wide ? 'wide' : undefined}>
      {words.say(`filter.${name}`)}
      <input
        type={type}
        {...(type === 'number' && { min: 0, max: 120, inputMode: 'numeric' as const })}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </label>
  );
}
