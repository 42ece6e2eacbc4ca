/** The tests that prove the defenses in docs/security.md: each names its threat in the comment above it. */
import { globSync, readFileSync } from 'node:fs';

const TAG = /^\s*\/\/ Guards against: (.+)$/;
const CONTINUES = /^\s*\/\/ (?!Guards against: )(.+)$/;
const TEST = /^\s*(?:test|rare|inTurn\(\d, \d\))\(\s*(?:'([^']+)'|"([^"]+)")/;

export interface Proof {
  readonly threat: string;
  readonly file: string;
  /** name of the test; null for the whole file */
  readonly test: string | null;
}

/** Returns all proofs in the test files below `root`, ordered by file and line. */
export function findProofs(root: string): Proof[] {
  const proofs: Proof[] = [];
  for (const file of globSync(
    ['server/**/*.test.ts', 'web/**/*.test.{ts,tsx}', 'sdk/**/*.test.ts', 'deploy/**/*.test.ts'],
    {
      cwd: root,
      exclude: (name) => name.includes('node_modules'),
    },
  ).toSorted()) {
    const text = readFileSync(`${root}/${file}`, 'utf8');
    if (!text.includes('// Guards against: ')) continue;
    const lines = text.split('\n');
    for (const [index, line] of lines.entries()) {
      const begins = TAG.exec(line)?.[1];
      if (begins === undefined) continue;
      // A long name of a threat continues on the next lines.
      const rest = lines.slice(
        index + 1,
        lines.findIndex((other, at) => at > index && !CONTINUES.test(other)),
      );
      const threat = [begins, ...rest.map((other) => CONTINUES.exec(other)![1])].join(' ');
      const next = lines.slice(index + 1).findIndex((other) => !TAG.test(other) && !CONTINUES.test(other));
      const at = index + 1 + next;
      const name = TEST.exec(`${lines[at]}${lines[at + 1] ?? ''}`);
      proofs.push({ threat, file, test: name?.[1] ?? name?.[2] ?? null });
    }
  }
  return proofs;
}

/** Returns the threats that a page has a section for. */
export const listThreats = (page: string): string[] =>
  sections(page)
    .map(({ heading }) => heading)
    .filter((heading) => heading !== 'What is not covered');

/** Returns the page with the list of proofs below each defense; other text is unchanged. */
export function withProofs(page: string, proofs: readonly Proof[]): string {
  const start = page.slice(0, page.indexOf('\n## ') + 1);
  const printed = sections(page).map(({ heading, body }) => {
    const own = proofs.filter(({ threat }) => threat === heading);
    if (own.length === 0) return `## ${heading}\n\n${body.trim()}\n`;
    const defense = body.replace(/\n\nProved by:\n[^]*$/, '').trim();
    const list = own.map(({ file, test }) => listItem(`\`${file}\`${test === null ? '' : `: ${test}`}`));
    return `## ${heading}\n\n${defense}\n\nProved by:\n\n${list.join('\n')}\n`;
  });
  return `${start}${printed.join('\n')}`;
}

function sections(page: string): { readonly heading: string; readonly body: string }[] {
  return page
    .split(/^## /m)
    .slice(1)
    .map((text) => ({ heading: text.slice(0, text.indexOf('\n')), body: text.slice(text.indexOf('\n') + 1) }));
}

/** Breaks a list item into lines of at most 120 columns, like all text in the documents. */
function listItem(text: string): string {
  const lines = ['-'];
  for (const word of text.split(' ')) {
    const last = lines.at(-1)!;
    if (last.length + 1 + word.length <= 120) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`  ${word}`);
  }
  return lines.join('\n');
}
