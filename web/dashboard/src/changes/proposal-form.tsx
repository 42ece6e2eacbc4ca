/** A form whose change is previewed before it is made. Errors of a field are shown next to the field. */
import { Fragment, useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import type { Problem } from 'rollcall-sdk';
import { canMerge, compare, put, valuesIn, type Values } from './merge.ts';
import { Conflicts } from './conflicts.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ui } from '../ui/words.ts';
import { usePropose, type Proposal } from './change.tsx';
import { words } from './words.ts';

/** The values of the fields, by name. An empty field is an empty text; an unchecked box is absent. */
export type Typed = Readonly<Record<string, string | undefined>>;

/** Returns the errors of a property. */
export type ErrorsOf = (name: string) => readonly string[];

export interface ProposalFieldsProps<T> {
  readonly proposal: (typed: Typed) => Proposal<T>;
  readonly onMade: (answer: T) => void;
  /** label of the submit button; absent: "Continue" */
  readonly submit?: string;
  /** next to the submit button */
  readonly actions?: ReactNode;
  readonly children: (errors: ErrorsOf) => ReactNode;
  /** details on a refusal beyond its message, such as how to resolve it */
  readonly next?: (problem: Problem, again: () => void) => ReactNode;
  /**
   * Reads the object again after somebody else changed it, so that `children` show the current values; false: it can't
   * be read. What was typed is then merged with them, field by field. All fields must keep their own state.
   */
  readonly readAgain?: () => Promise<boolean>;
}

/** Two versions of a form that have been merged. */
interface Merge {
  readonly mine: Values;
  readonly theirs: Values;
  /** names of the fields that are still to be decided */
  readonly conflicts: readonly string[];
}

export interface ProposalFormProps<T> extends Omit<ProposalFieldsProps<T>, 'onMade' | 'actions'> {
  readonly title: string;
  readonly onClose: () => void;
  /** absent: closes the window */
  readonly onMade?: (answer: T) => void;
}

/** The form in a dialog. */
export function ProposalForm<T>({ title, onClose, onMade, ...form }: ProposalFormProps<T>) {
  return (
    <Dialog title={title} onClose={onClose}>
      <ProposalFields
        {...form}
        onMade={(answer) => (onMade ? onMade(answer) : onClose())}
        actions={
          <button type="button" className="second" onClick={onClose}>
            {ui.say('cancel')}
          </button>
        }
      />
    </Dialog>
  );
}

/** The form as part of a page. */
export function ProposalFields<T>({
  proposal,
  onMade,
  submit: label,
  actions,
  children,
  next,
  readAgain,
}: ProposalFieldsProps<T>) {
  const propose = usePropose();
  const form = useRef<HTMLFormElement>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  // The fields start again with the current values in each round.
  const [round, setRound] = useState(0);
  const [merge, setMerge] = useState<Merge | null>(null);
  const before = useRef<Values>({});
  const typedBefore = useRef<Values>({});
  useEffect(() => {
    before.current = valuesIn(form.current!);
  }, []);
  useLayoutEffect(() => {
    if (round === 0) return;
    const element = form.current!;
    const theirs = valuesIn(element);
    const mine = typedBefore.current;
    const changed = compare(before.current, mine, theirs);
    for (const name of [...changed.mine, ...changed.conflicts]) put(element, name, mine[name]);
    before.current = theirs;
    setMerge({ mine, theirs, conflicts: changed.conflicts });
    // Nothing is left to decide.
    if (changed.conflicts.length === 0) void submit();
    // oxlint-disable-next-line react/exhaustive-deps
  }, [round]);
  const submit = async (): Promise<void> => {
    const typed = Object.fromEntries(
      [...new FormData(form.current!)].map(([name, value]) => [name, String(value).trim()]),
    );
    const outcome = await propose({ ...proposal(typed), inForm: true });
    if (readAgain && !outcome.made && outcome.problem?.code === 'version_mismatch') {
      typedBefore.current = valuesIn(form.current!);
      if (canMerge(form.current!, before.current, typedBefore.current) && (await readAgain())) {
        setProblem(null);
        setRound((n) => n + 1);
        return;
      }
    }
    setProblem(outcome.made ? null : outcome.problem);
    if (outcome.made) return onMade(outcome.answer);
    const first = Object.keys(outcome.problem?.field_errors ?? {})
      .map((name) => form.current?.elements.namedItem(name))
      .find((field) => field instanceof HTMLElement);
    if (first instanceof HTMLElement) first.focus();
  };
  const errors: ErrorsOf = (name) => problem?.field_errors[name] ?? [];
  // Errors of properties that the form doesn't show are listed above it.
  const elsewhere = Object.entries(problem?.field_errors ?? {}).filter(
    ([name]) => !form.current?.elements.namedItem(name),
  );
  const isGeneral = problem && (elsewhere.length > 0 || Object.keys(problem.field_errors).length === 0);
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {isGeneral ? (
        <div className="notice wrong" role="alert">
          <p>{elsewhere.length > 0 ? elsewhere.flatMap(([, said]) => said).join(' ') : problem.message}</p>
          {next?.(problem, () => setProblem(null))}
        </div>
      ) : null}
      {merge && merge.conflicts.length > 0 ? (
        <Conflicts
          form={form.current!}
          names={merge.conflicts}
          mine={merge.mine}
          theirs={merge.theirs}
          onSettled={(names) =>
            setMerge({ ...merge, conflicts: merge.conflicts.filter((one) => !names.includes(one)) })
          }
        />
      ) : null}
      <Fragment key={round}>{children(errors)}</Fragment>
      <div className="actions">
        <button type="submit">{label ?? words.say('continue')}</button>
        {actions}
      </div>
    </form>
  );
}
