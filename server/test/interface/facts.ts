/**
 * The names of the interface that existing integrations are written for: operations, filters, properties and
 * enumerated values. `facts.txt` has one block for each operation, resource and list of values; `%20` is a space.
 */
import { readFileSync } from 'node:fs';

/** Name of a filter or property → its enumerated values, or null if it isn't enumerated. */
export type Names = ReadonlyMap<string, readonly string[] | null>;

const PARTS = ['query', 'body', 'answer', 'returns', 'fields', 'values'] as const;
type Part = (typeof PARTS)[number];

export interface Operation {
  readonly query: Names;
  readonly body: Names;
  readonly answer: Names;
  /** name of the resource that it returns, alone or in a page */
  readonly returns: string | null;
}

export interface Facts {
  readonly operations: ReadonlyMap<string, Operation>;
  readonly resources: ReadonlyMap<string, Names>;
}

/** Returns the blocks of the file: a heading, then parts that are indented by two, and their other lines by four. */
function readBlocks(text: string): Map<string, Map<string, string>> {
  const blocks = new Map<string, Map<string, string>>();
  let block = new Map<string, string>();
  let part = '';
  for (const line of text.split('\n').filter(Boolean)) {
    const words = line.trim();
    if (!line.startsWith(' ')) blocks.set(words, (block = new Map()));
    else if (line.startsWith('    ')) block.set(part, `${block.get(part)} ${words}`);
    else {
      part = words.split(' ', 1)[0]!;
      if (!PARTS.includes(part as Part)) throw new Error(`facts.txt: unknown part "${part}"`);
      block.set(part, words.slice(part.length + 1));
    }
  }
  return blocks;
}

export function readFacts(): Facts {
  const blocks = readBlocks(readFileSync(new URL('facts.txt', import.meta.url), 'utf8'));
  const textAt = (heading: string, part: string): string => {
    const text = blocks.get(heading)?.get(part) ?? '';
    // `@ query GET /reports/classes/data` is the same names as there.
    const [, otherPart, other] = /^@ (\w+) (.+)$/.exec(text) ?? [];
    return other === undefined ? text : textAt(other, otherPart!);
  };
  const namesAt = (heading: string, part: string): Names =>
    new Map(
      textAt(heading, part)
        .split(' ')
        .filter(Boolean)
        .map((word) => {
          const [name, values] = word.split('=') as [string, string?];
          if (values === undefined) return [name, null];
          return [
            name,
            values.startsWith('$')
              ? textAt(`list ${values.slice(1)}`, 'values').split(' ')
              : values.split('|').map(decodeURIComponent),
          ];
        }),
    );
  const headings = [...blocks.keys()];
  return {
    operations: new Map(
      headings
        .filter((heading) => /^[A-Z]+ \//.test(heading))
        .map((heading) => [
          heading,
          {
            query: namesAt(heading, 'query'),
            body: namesAt(heading, 'body'),
            answer: namesAt(heading, 'answer'),
            returns: textAt(heading, 'returns') || null,
          },
        ]),
    ),
    resources: new Map(
      headings
        .filter((heading) => heading.startsWith('resource '))
        .map((heading) => [heading.slice('resource '.length), namesAt(heading, 'fields')]),
    ),
  };
}
