/** Parses units as systemd does, as far as this deployment needs it: the drills run exactly what is installed. */
import { readFileSync } from 'node:fs';

interface Unit {
  readonly user: string;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly command: readonly string[];
  readonly restartMs: number;
  /** folders that it owns, such as /var/lib/rollcall */
  readonly folders: readonly string[];
}

const RESTART_MS = 100;
const FOLDERS = { StateDirectory: '/var/lib', CacheDirectory: '/var/cache', RuntimeDirectory: '/run' } as const;

const unquote = (text: string): string => text.replace(/^(["'])(.*)\1$/, '$2');

/** Parses lines of the form `NAME=value`; skips comments. */
export function readEnvironment(text: string): Record<string, string> {
  return Object.fromEntries(
    text
      .split('\n')
      .map((line) => /^(\w+)=(.*)$/.exec(line.trim()))
      .filter((match) => match !== null)
      .map(([, name, value]) => [name, unquote(value)]),
  );
}

/** Returns the values in [Service] by key, in order; a key may occur several times. */
export function settingsOf(text: string): Map<string, string[]> {
  const service = /^\[Service\]$([^]*?)(?=^\[|$(?![^]))/m.exec(text)?.[1] ?? '';
  const settings = new Map<string, string[]>();
  for (const [, key, value] of service.matchAll(/^(\w+)=(.*)$/gm))
    settings.set(key, [...(settings.get(key) ?? []), value]);
  return settings;
}

const words = (text: string): string[] => (text.match(/"[^"]*"|\S+/g) ?? []).map(unquote);

/** Parses a unit. `read`: returns a file of the machine on which the unit runs, or undefined if there is none */
export function readUnit(name: string, text: string, host: string, read: (path: string) => string | undefined): Unit {
  const settings = settingsOf(text);
  const all = (key: string): string[] => settings.get(key) ?? [];
  const filled = (value: string) => value.replaceAll('%H', host).replaceAll('%p', name);
  const env: Record<string, string> = {};
  for (const line of all('Environment')) Object.assign(env, readEnvironment(words(filled(line)).join('\n')));
  for (const path of all('EnvironmentFile')) {
    const content = read(filled(path.replace(/^-/, '')));
    if (content === undefined && !path.startsWith('-')) throw new Error(`${name} needs ${path}, which is missing`);
    Object.assign(env, readEnvironment(content ?? ''));
  }
  const command = words(filled(all('ExecStart')[0]!)).flatMap((word) =>
    /^\$\w+$/.test(word) ? words(env[word.slice(1)] ?? '') : [word],
  );
  return {
    user: all('User')[0] ?? 'root',
    folder: all('WorkingDirectory')[0] ?? '/',
    env,
    command,
    restartMs: all('RestartSec')[0] ? Number(all('RestartSec')[0]) * 1000 : RESTART_MS,
    folders: Object.entries(FOLDERS).flatMap(([key, parent]) =>
      all(key).flatMap((line) => words(line).map((folder) => `${parent}/${folder}`)),
    ),
  };
}

export const readText = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
};
