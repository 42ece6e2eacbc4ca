/** One change for many objects: each is previewed first, and has its own result. */
import { useEffect, useRef, useState } from 'react';
import { Refused, type Call, type Effect } from 'rollcall-sdk';
import { Dialog } from '../ui/dialog.tsx';
import { Effects } from './effects.tsx';
import { readAgain } from '../app/calls.ts';
import { ui } from '../ui/words.ts';
import { words } from './words.ts';

export interface One {
  readonly key: number;
  /** name of the object */
  readonly label: string;
  readonly call: () => Call<unknown, any, any, true>;
}

export interface Result {
  readonly key: number;
  readonly label: string;
  /** null if it succeeded */
  readonly error: string | null;
}

/** Number of concurrent calls: more would slow other requests. */
const SIDE_BY_SIDE = 4;

/** Runs `act` for each, some at a time, in order. Stops early once the signal aborts. */
export async function runEach<T>(
  all: readonly T[],
  act: (one: T) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const left = [...all];
  const work = async (): Promise<void> => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) {
      if (signal?.aborted) return;
      await act(one);
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
}

const saidOf = (error: unknown): string => (error instanceof Refused ? error.problem.message : ui.say('unreachable'));

export interface ManyProps {
  readonly title: string;
  readonly all: readonly One[];
  readonly onClose: () => void;
}

export function Many({ title, all, onClose }: ManyProps) {
  const [phase, setPhase] = useState<'trying' | 'tried' | 'making' | 'made'>('trying');
  const [count, setCount] = useState(0);
  const [results, setResults] = useState<readonly Result[]>([]);
  const effects = useRef<Effect[]>([]);
  const ended = useRef(new AbortController());
  const run = async (ones: readonly One[], act: (one: One) => Promise<void>): Promise<void> => {
    const refused: Result[] = [];
    const { signal } = ended.current;
    setCount(0);
    await runEach(
      ones,
      async (one) => {
        const result = await act(one).then(
          () => ({ key: one.key, label: one.label, error: null }),
          (error: unknown) => ({ key: one.key, label: one.label, error: saidOf(error) }),
        );
        refused.push(result);
        if (!signal.aborted) setCount((n) => n + 1);
      },
      signal,
    );
    if (!signal.aborted) setResults(refused);
  };
  useEffect(() => {
    const controller = new AbortController();
    ended.current = controller;
    effects.current = [];
    void run(all, async ({ call }) => {
      const preview = await call().dryRun();
      effects.current.push(...preview.effects);
    }).then(() => !controller.signal.aborted && setPhase('tried'));
    return () => controller.abort();
    // The selection does not change while this is open.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);
  const refused = results.filter(({ error }) => error !== null);
  const possible = all.filter(({ key }) => results.some((one) => one.key === key && one.error === null));
  const make = async (): Promise<void> => {
    const before = refused;
    setPhase('making');
    await run(possible, async ({ call }) => void (await call()));
    readAgain();
    setResults((made) => [...made, ...before]);
    setPhase('made');
  };
  return (
    <Dialog title={title} onClose={() => phase !== 'making' && onClose()}>
      {phase === 'trying' || phase === 'making' ? (
        <p role="status">
          {words.say(phase, { n: count, all: phase === 'trying' ? all.length : possible.length })}
          <progress value={count} max={phase === 'trying' ? all.length : possible.length} aria-label={title} />
        </p>
      ) : null}
      {phase === 'tried' ? (
        <>
          <p>{words.say('many.possible', { n: possible.length, all: all.length })}</p>
          <Effects effects={effects.current} />
          <Results results={refused} />
        </>
      ) : null}
      {phase === 'made' ? <Results results={results} /> : null}
      <div className="actions">
        {phase === 'tried' && possible.length > 0 ? (
          <button type="button" onClick={() => void make()} autoFocus>
            {title}
          </button>
        ) : null}
        <button type="button" className="second" disabled={phase === 'making'} onClick={onClose}>
          {phase === 'made' ? ui.say('close') : ui.say('cancel')}
        </button>
      </div>
    </Dialog>
  );
}

/** One line for each result, failures first. */
export function Results({ results }: { readonly results: readonly Result[] }) {
  if (results.length === 0) return null;
  const failed = results.filter(({ error }) => error !== null);
  return (
    <ul className="plain-list results" aria-label={words.say('many.results')} tabIndex={0}>
      {[...failed, ...results.filter(({ error }) => error === null)].map(({ key, label, error }) => (
        <li key={key}>
          <strong>{label}</strong>{' '}
          {error === null ? (
            <span className="tag good">{words.say('many.done')}</span>
          ) : (
            <span className="error">{error}</span>
          )}
        </li>
      ))}
    </ul>
  );
}
