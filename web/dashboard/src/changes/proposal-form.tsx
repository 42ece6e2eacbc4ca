/** A form whose change is shown before it is made. What is wrong with a field is said beside the field. */
import { useRef, useState, type ReactNode } from 'react';
import type { Problem } from 'rollcall-sdk';
import { Dialog } from '../ui/dialog.tsx';
import { ui } from '../ui/words.ts';
import { usePropose, type Proposal } from './change.tsx';
import { words } from './words.ts';

/** What stands in the fields, by their names. A field that is empty is an empty text; a box that is not checked is absent. */
export type Typed = Readonly<Record<string, string | undefined>>;

/** What is wrong with a property. */
export type ErrorsOf = (name: string) => readonly string[];

export interface ProposalFieldsProps<T> {
  readonly proposal: (typed: Typed) => Proposal<T>;
  readonly onMade: (answer: T) => void;
  /** of the button that leads on; absent: "Continue" */
  readonly submit?: string;
  /** beside that button */
  readonly actions?: ReactNode;
  readonly children: (errors: ErrorsOf) => ReactNode;
  /** more about a refusal than its message says, such as what to do about it */
  readonly next?: (problem: Problem, again: () => void) => ReactNode;
}

export interface ProposalFormProps<T> extends Omit<ProposalFieldsProps<T>, 'onMade' | 'actions'> {
  readonly title: string;
  readonly onClose: () => void;
  /** absent: the window closes */
  readonly onMade?: (answer: T) => void;
}

/** The form in a window. */
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

/** The form as a part of a page. */
export function ProposalFields<T>({
  proposal,
  onMade,
  submit: label,
  actions,
  children,
  next,
}: ProposalFieldsProps<T>) {
  const propose = usePropose();
  const form = useRef<HTMLFormElement>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const submit = async (): Promise<void> => {
    const typed = Object.fromEntries(
      [...new FormData(form.current!)].map(([name, value]) => [name, String(value).trim()]),
    );
    const outcome = await propose(proposal(typed));
    setProblem(outcome.made ? null : outcome.problem);
    if (outcome.made) return onMade(outcome.answer);
    const first = Object.keys(outcome.problem?.field_errors ?? {})
      .map((name) => form.current?.elements.namedItem(name))
      .find((field) => field instanceof HTMLElement);
    if (first instanceof HTMLElement) first.focus();
  };
  const errors: ErrorsOf = (name) => problem?.field_errors[name] ?? [];
  // What is wrong with a property that the form doesn't show is said above it.
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
          <p>{[problem.message, ...elsewhere.flatMap(([, said]) => said)].join(' ')}</p>
          {next?.(problem, () => setProblem(null))}
        </div>
      ) : null}
      {children(errors)}
      <div className="actions">
        <button type="submit">{label ?? words.say('continue')}</button>
        {actions}
      </div>
    </form>
  );
}
