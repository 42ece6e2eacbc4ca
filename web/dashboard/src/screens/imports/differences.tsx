/** Differences to existing records. */
import { useCall } from '../../app/calls.ts';
import { hasFates, nameOf, type Import } from './import.ts';
import { said, words } from './words.ts';

interface Change {
  readonly property: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Shows a value. A state of the interface, such as `no show`, is named. */
function valueOf(property: string, value: string | null): string {
  if (!value) return words.say('nothing');
  const key = `meaning.${value.replaceAll(' ', '_')}`;
  return property === 'status' && words.has(key) ? said('meaning', value.replaceAll(' ', '_')) : value;
}

/** Shows the values of a row before and after. */
export function Differences({ changes }: { readonly changes: readonly Change[] }) {
  return changes.map(({ property, before, after }) => (
    <span key={property} className="small change">
      {said('property', property)}: <del>{valueOf(property, before)}</del> <ins>{valueOf(property, after)}</ins>
    </span>
  ));
}

/** Samples of a file. */
const SHOWN = 5;

function Samples({ of }: { readonly of: Import }) {
  const { data } = useCall('GET /imports/{id}/rows', {
    params: { id: of.id },
    query: { fate: 'changed', page_size: SHOWN },
  });
  return data?.results.map(({ id, line, changes, cells }) => (
    <li key={id}>
      <span className="what">
        <span className="soft small">
          {nameOf(of)} · {words.say('line', { n: line })} · {cells.filter(Boolean).slice(0, 3).join(' · ')}
        </span>
        <Differences changes={changes} />
      </span>
    </li>
  ));
}

/** Shows some of the rows that change existing records. */
export function Changed({ files }: { readonly files: readonly Import[] }) {
  const changing = files.filter((file) => hasFates(file) && file.has_rows && file.changed_count > 0);
  if (changing.length === 0) return null;
  return (
    <section aria-labelledby="changed">
      <h2 id="changed">{words.say('changed')}</h2>
      <p className="soft">{words.say('changed.hint')}</p>
      <ul className="rows">
        {changing.map((file) => (
          <Samples key={file.id} of={file} />
        ))}
      </ul>
    </section>
  );
}
