/** Parses a command line: the command and its options. For an unknown one, suggests the nearest known one. */
import { parseArgs } from 'node:util';
import { UsageError, type Command, type Given, type Option } from './command.ts';

const HELP: Record<string, Option> = { help: { type: 'boolean', description: 'show this text' } };

/** A command by its name, loaded on demand. */
export interface ListedCommand {
  readonly name: string;
  load(): Promise<Command>;
}

/** Finds the command that the first one or two words name; `rest` is the remainder. */
export function findCommand(
  commands: readonly ListedCommand[],
  argv: readonly string[],
): { command: ListedCommand; rest: readonly string[] } {
  for (const words of [2, 1]) {
    const command = commands.find(
      ({ name }) => name.split(' ').length === words && name === argv.slice(0, words).join(' '),
    );
    if (command) return { command, rest: argv.slice(words) };
  }
  const family = commands.filter(({ name }) => name.startsWith(`${argv[0]} `));
  if (family.length > 0 && (argv.length === 1 || argv[1].startsWith('-'))) {
    throw new UsageError(
      `rollcall ${argv[0]}: choose a command: ${family.map(({ name }) => `"rollcall ${name}"`).join(', ')}.`,
    );
  }
  const words = argv.slice(0, 2).filter((word) => !word.startsWith('-'));
  const asked = family.length > 0 ? words.join(' ') : argv[0];
  const near = [words.join(' '), asked]
    .map((text) =>
      suggestion(
        text,
        commands.map((c) => c.name),
        'rollcall ',
      ),
    )
    .find((text) => text !== '');
  throw new UsageError(`Unknown command "${asked}".${near ?? ''} List all commands: rollcall --help`);
}

export function readArguments(command: Command, args: readonly string[]): Given & { help: boolean } {
  const known: Record<string, Option> = { ...HELP, ...command.options };
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(Object.entries(known).map(([name, { type }]) => [name, { type }])),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const options: Record<string, string | boolean> = {};
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const option = known[token.name];
    if (!option)
      throw new UsageError(`Unknown option "${token.rawName}".${suggestion(token.name, Object.keys(known), '--')}`);
    if (option.type === 'string' && token.value === undefined)
      throw new UsageError(`${token.rawName} needs a value: ${token.rawName} ${option.value ?? 'VALUE'}.`);
    if (option.type === 'boolean' && token.value !== undefined)
      throw new UsageError(`${token.rawName} takes no value.`);
    options[token.name] = token.value ?? true;
  }
  const help = options.help === true;
  const wanted = command.positionals ?? [];
  if (!help && positionals.length < wanted.length) throw new UsageError(`${wanted[positionals.length]} is missing.`);
  const takesMore = wanted.at(-1)?.endsWith('…') === true;
  if (!help && !takesMore && positionals.length > wanted.length)
    throw new UsageError(`Unexpected "${positionals[wanted.length]}".`);
  return { options, positionals, help };
}

export const usageOf = ({ name, positionals = [], options = {} }: Command): string =>
  ['rollcall', name, ...positionals, ...(Object.keys(options).length > 0 ? ['[options]'] : [])].join(' ');

export function formatHelp(command: Command): string {
  const lines = Object.entries({ ...command.options, ...HELP }).map(([name, { value, type, description }]) => {
    const left = `--${name}${type === 'string' ? ` ${value ?? 'VALUE'}` : ''}`;
    return `  ${left.padEnd(26)} ${description}`;
  });
  return [
    `${command.summary}.`,
    '',
    `Usage: ${usageOf(command)}`,
    '',
    ...lines,
    ...(command.details ? ['', command.details] : []),
  ].join('\n');
}

export function overview(commands: readonly Command[]): string {
  const width = Math.max(...commands.map((command) => usageOf(command).length));
  return [
    'Rollcall: scheduling and business management on your own machine.',
    '',
    ...commands.map(
      (command) =>
        `  ${usageOf(command).padEnd(width)}  ${command.summary[0].toLowerCase()}${command.summary.slice(1)}`,
    ),
    '',
    'Help for a command: rollcall COMMAND --help. Settings are environment variables, for example PORT, DATA_DIR, DATABASE_URL.',
  ].join('\n');
}

function suggestion(asked: string, known: readonly string[], prefix: string): string {
  const [nearest] = known
    .map((name) => ({ name, distance: editDistance(asked, name) }))
    .toSorted((a, b) => a.distance - b.distance);
  return nearest && nearest.distance <= Math.max(2, asked.length / 2)
    ? ` Did you mean "${prefix}${nearest.name}"?`
    : '';
}

/** Returns the number of letters to insert, remove or replace to turn one text into the other. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      current[j] = Math.min(previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
    }
    previous = current;
  }
  return previous[b.length];
}
