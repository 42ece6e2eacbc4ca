/** The view of a report: rows or groups, the grouping, and the columns or measures. */
import { ChoiceFilter } from '../../../ui/filters.tsx';
import { Described } from '../described.tsx';
import { periodIn, type Asked } from './query.ts';
import { useAddress } from '../../../app/address.ts';
import { words } from '../words.ts';
import type { Column, ReportKind } from '../read.ts';

export interface ChooseProps {
  readonly report: ReportKind;
  readonly asked: Asked;
}

export function Choose({ report, asked }: ChooseProps) {
  const [, change] = useAddress();
  const isGroups = asked.form === 'groups';
  const canCompare = isGroups && report.filters.some(({ type, from }) => type === 'period' && from !== null);
  return (
    <div className="tools">
      {report.grouped_by.length > 0 && !report.is_total ? (
        <label>
          {words.say('view')}
          <select
            value={asked.form}
            onChange={(event) => change({ view: event.target.value, sort: undefined, page: undefined })}
          >
            <option value="groups">{words.say('view.groups')}</option>
            <option value="rows">{words.say('view.rows')}</option>
          </select>
        </label>
      ) : null}
      {isGroups ? (
        <>
          <Several report={report} name="by" title={words.say('by')} of={report.grouped_by} chosen={asked.by} />
          <Several
            report={report}
            name="measures"
            title={words.say('measures')}
            of={report.measures}
            chosen={asked.measures}
          />
          {report.pivots.length > 0 ? (
            <ChoiceFilter
              name="pivot"
              label={words.say('pivot')}
              any={words.say('pivot.none')}
              choices={report.pivots.map((one) => [
                one,
                words.has(`pivot.${one}`) ? words.say(`pivot.${one}` as 'pivot.month') : one,
              ])}
            />
          ) : null}
          {canCompare ? (
            <label className="box">
              <input
                type="checkbox"
                checked={asked.compares}
                onChange={(event) => change({ compare: event.target.checked ? 'true' : undefined })}
              />{' '}
              {words.say(periodIn(asked, report) || !asked.compares ? 'compare' : 'compare.choose')}
            </label>
          ) : null}
        </>
      ) : (
        <Several
          report={report}
          name="columns"
          title={words.say('columns')}
          of={report.columns}
          chosen={
            asked.columns.length > 0 ? asked.columns : report.columns.flatMap(({ key, shown }) => (shown ? [key] : []))
          }
        />
      )}
    </div>
  );
}

interface SeveralProps extends Pick<ChooseProps, 'report'> {
  /** name of the parameter in the address */
  readonly name: string;
  readonly title: string;
  readonly of: readonly Column[];
  readonly chosen: readonly string[];
}

/** A choice of columns, each with its description. At least one stays selected. */
function Several({ report, name, title, of, chosen }: SeveralProps) {
  const [, change] = useAddress();
  return (
    <details className="choose">
      <summary className="second">{words.say('chosen', { what: title, n: chosen.length })}</summary>
      <div className="card">
        {of.map(({ key, label, definition }) => {
          const is = chosen.includes(key);
          return (
            <label key={key} className="box">
              <input
                type="checkbox"
                checked={is}
                disabled={is && chosen.length === 1}
                onChange={() => {
                  const next = is ? chosen.filter((one) => one !== key) : [...chosen, key];
                  change({
                    [name]: of.flatMap((one) => (next.includes(one.key) ? [one.key] : [])).join(','),
                    page: undefined,
                  });
                }}
              />{' '}
              <span>
                {label}{' '}
                <span className="soft small">
                  <Described text={definition} report={report} />
                </span>
              </span>
            </label>
          );
        })}
      </div>
    </details>
  );
}
