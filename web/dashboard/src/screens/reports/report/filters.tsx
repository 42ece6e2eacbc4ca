/** The filters of a report: periods first, everything else on demand. */
import { ChoiceFilter, CustomerFilter, TextFilter } from '../../../ui/filters.tsx';
import { OF_FILTER, type Asked } from './query.ts';
import { NOTHING, textOf, wordFor } from './value.tsx';
import { PERIODS } from './periods.ts';
import { useAddress } from '../../../app/address.ts';
import { useCall } from '../../../app/calls.ts';
import { words } from '../words.ts';
import type { Filter, ReportKind } from '../read.ts';

/** Higher than the number that any business has. */
const MAX_ROWS = 100;

export interface FiltersProps {
  readonly report: ReportKind;
  readonly asked: Asked;
}

export function Filters({ report, asked }: FiltersProps) {
  const [, change] = useAddress();
  const periods = report.filters.filter(({ type }) => type === 'period');
  const others = report.filters.filter(({ type }) => type !== 'period' && type !== 'group');
  const isOpen = others.some(({ name }) => asked.filters[name]);
  const isFiltered = Object.keys(asked.filters).length > 0;
  return (
    <div role="search" aria-label={words.say('filters')}>
      <div className="tools">
        {periods.map(({ name, label }) => (
          <ChoiceFilter
            key={name}
            name={OF_FILTER + name}
            label={label}
            any={words.say('period.any')}
            choices={PERIODS.map((one) => [one, words.say(`period.${one}`)])}
          />
        ))}
        {asked.filters.group ? (
          <p className="chosen">
            <span className="label">{words.say('only_group')}</span>
            <span className="tag">{groupSaid(asked.filters.group, report)}</span>
          </p>
        ) : null}
        {isFiltered ? (
          <button
            type="button"
            className="plain"
            onClick={() =>
              change({
                ...Object.fromEntries(Object.keys(asked.filters).map((name) => [OF_FILTER + name, undefined])),
                page: undefined,
              })
            }
          >
            {words.say('filters.clear')}
          </button>
        ) : null}
      </div>
      {others.length > 0 ? (
        <details className="more-filters" open={isOpen}>
          <summary>{words.say('filters.more')}</summary>
          <div className="tools">
            {others.map((filter) => (
              <One key={filter.name} filter={filter} />
            ))}
          </div>
        </details>
      ) : null}
    </div>
  );
}

/** Formats `{"status":"attended"}` as words. */
function groupSaid(text: string, { grouped_by: by }: ReportKind): string {
  const labelOf = (key: string): string =>
    by.find((one) => one.key === key)?.label ??
    (key.startsWith('pivot.') && words.has(key) ? words.say(key as 'pivot.month') : key.replaceAll(/[._]/g, ' '));
  try {
    return Object.entries(JSON.parse(text) as Record<string, unknown>)
      .map(
        ([key, value]) =>
          `${labelOf(key)}: ${value === null ? NOTHING : textOf(wordFor(value, by.find((one) => one.key === key)?.choices))}`,
      )
      .join(', ');
  } catch {
    return text;
  }
}

/** Filters with these names take ids of objects that a business has few of. */
const LISTS = {
  venues: 'GET /venues',
  instructors: 'GET /instructors',
  offering_types: 'GET /offering_types',
  memberships: 'GET /memberships',
} as const;

function One({ filter: { name, label, type, choices } }: { readonly filter: Filter }) {
  const inAddress = OF_FILTER + name;
  const any = words.say('any');
  if (name === 'customers') return <CustomerFilter name={inAddress} label={label} />;
  if (Object.hasOwn(LISTS, name)) return <Known name={name as keyof typeof LISTS} label={label} />;
  if (type === 'choice')
    return (
      <ChoiceFilter
        name={inAddress}
        label={label}
        any={any}
        // Two spellings of the same value are shown as one choice.
        choices={choices
          .filter((one, n) => choices.findIndex((other) => other.label === one.label) === n)
          .map((one) => [one.value, one.label])}
      />
    );
  if (type === 'boolean')
    return (
      <ChoiceFilter
        name={inAddress}
        label={label}
        any={any}
        choices={[
          ['true', words.say('yes')],
          ['false', words.say('no')],
        ]}
      />
    );
  return (
    <TextFilter
      name={inAddress}
      label={label}
      type={type === 'date' ? 'date' : type === 'datetime' ? 'datetime-local' : 'text'}
    />
  );
}

function Known({ name, label }: { readonly name: keyof typeof LISTS; readonly label: string }) {
  const { data } = useCall(LISTS[name] as 'GET /venues', { query: { page_size: MAX_ROWS }, fields: ['id', 'name'] });
  return (
    <ChoiceFilter
      name={OF_FILTER + name}
      label={label}
      any={words.say('any')}
      choices={(data?.results ?? []).map((one) => [String(one.id), one.name])}
    />
  );
}
