/** The preview of undoing an import: the rows that are taken back, and those that stay. */
import { words } from './words.ts';

interface Preview {
  readonly undone_count?: number;
  readonly kept_count?: number;
  readonly kept?: readonly { readonly line: number; readonly reason: string }[];
}

export function Undone({ preview: { undone_count: n = 0, kept_count: keeps = 0, kept = [] } }: { preview: Preview }) {
  return (
    <>
      <p>{words.say('undo.count', { n })}</p>
      {keeps > 0 ? (
        <>
          <p>{words.say('undo.kept', { n: keeps })}</p>
          <ul>
            {kept.map(({ line, reason }) => (
              <li key={line}>
                {words.say('line', { n: line })}: {reason}
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </>
  );
}
