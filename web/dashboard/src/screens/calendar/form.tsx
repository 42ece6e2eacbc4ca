/** Creates an event or a series, or changes one, with a preview. */
import { useState } from 'react';
import { bodyOf, Check, NotifyFields, NO_ANSWERS, ReachField, reasonOf, type Answers } from './ask.tsx';
import { bodyOfChange, bodyOfNew, draftOf, emptyDraft, FIELD_OF, mergeDrafts, NEW_CLASS, type Draft } from './draft.ts';
import { hasPeople } from './changes.tsx';
import { clientOf } from '../../app/client.ts';
import { ConflictList } from '../../changes/conflict-list.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { Fields, isScheduled } from './fields.tsx';
import { inWords, labelOf } from './shown-draft.ts';
import { keepDraft, keptDraft } from './kept.ts';
import { queries } from '../../app/calls.ts';
import { useBusiness } from '../../app/business.ts';
import { EDITED, timed, useEdited, useEvent, type CalendarEvent, type Edited } from './events.ts';
import type { Places } from '../../app/places.ts';
import { usePropose } from '../../changes/change.tsx';
import { words } from './words.ts';
import type { Problem } from 'rollcall-sdk';

/** Returns the errors by field; errors that belong to no field are shown above the fields. */
export function errorsOf(problem: Problem | null): {
  readonly fields: Partial<Record<keyof Draft, readonly string[]>>;
  readonly rest: string | null;
} {
  if (!problem) return { fields: {}, rest: null };
  const named = Object.entries(problem.field_errors);
  const fields = Object.fromEntries(named.flatMap(([name, said]) => (FIELD_OF[name] ? [[FIELD_OF[name], said]] : [])));
  const beside = named.length > 0 && named.every(([name]) => FIELD_OF[name]);
  return { fields, rest: beside ? null : reasonOf(problem) };
}

export interface NewEventProps {
  readonly places: Places;
  readonly date: string;
  /** initial values, from what was drawn or from the filters */
  readonly begins: Partial<Draft>;
  readonly onClose: () => void;
}

export function NewEvent({ places, date, begins, onClose }: NewEventProps) {
  const { id: business } = useBusiness();
  const propose = usePropose();
  const begin = (kept: Draft | null): Draft => {
    const only = { venue: places.venues.length === 1 ? String(places.venues[0].id) : '' };
    const isFirst = !places.offerings.some(isScheduled);
    return { ...emptyDraft(date), ...only, ...(isFirst && { offering: NEW_CLASS }), ...kept, ...begins };
  };
  const [draft, setDraft] = useState(() => begin(keptDraft(business)));
  const [problem, setProblem] = useState<Problem | null>(null);
  const change = (next: Draft): void => {
    setDraft(next);
    keepDraft(business, next);
  };
  const submit = async (): Promise<void> => {
    setProblem(null);
    const outcome = await propose({
      title: words.say('create', { name: draft.name }),
      confirm: words.say('create.confirm'),
      done: words.say('created', { name: draft.name }),
      call: () => clientOf(business).call('POST /events', { body: bodyOfNew(draft) }),
    });
    if (!outcome.made) {
      setProblem(outcome.problem);
      return;
    }
    keepDraft(business, null);
    for (const operation of ['GET /events', 'GET /offering_types'])
      void queries.invalidateQueries({ queryKey: [business, operation] });
    onClose();
  };
  return (
    <Dialog title={words.say('new')} onClose={onClose} side>
      <Form draft={draft} places={places} problem={problem} isNew onChange={change} onSubmit={() => void submit()}>
        <button
          type="button"
          className="second"
          onClick={() => {
            keepDraft(business, null);
            setDraft(begin(null));
            setProblem(null);
          }}
        >
          {words.say('clear')}
        </button>
      </Form>
    </Dialog>
  );
}

export interface EditEventProps {
  readonly id: number;
  readonly places: Places;
  readonly onClose: () => void;
}

export function EditEvent({ id, places, onClose }: EditEventProps) {
  const { event, error, again } = useEvent(id);
  const edited = useEdited(id);
  const failed = error ?? edited.error;
  return (
    <Dialog title={words.say('edit.of', { name: event?.name ?? '' })} onClose={onClose} side>
      {failed ? <Failed error={failed} again={again} /> : null}
      {event && edited.data ? (
        <Edit
          event={event}
          first={edited.data}
          readAgain={async () => (await edited.refetch()).data}
          places={places}
          onClose={onClose}
        />
      ) : failed ? null : (
        <Loading />
      )}
    </Dialog>
  );
}

interface EditProps extends Omit<EditEventProps, 'id'> {
  readonly event: CalendarEvent;
  readonly first: Edited;
  readonly readAgain: () => Promise<Edited | undefined>;
}

/** Values that somebody else saved while the form was open, and the fields that are still to be decided. */
interface Merge {
  readonly theirs: Draft;
  readonly conflicts: readonly (keyof Draft)[];
}

function Edit({ event, first, readAgain, places, onClose }: EditProps) {
  const { id: business } = useBusiness();
  const propose = usePropose();
  // The event as it was when the form was opened: changes by other people in the meantime are merged.
  const [opened, setOpened] = useState(first);
  const [draft, setDraft] = useState(() => draftOf(timed(first.value)));
  const [merge, setMerge] = useState<Merge | null>(null);
  const [said, setSaid] = useState<Answers>(NO_ANSWERS);
  const [problem, setProblem] = useState<Problem | null>(null);
  const submit = async (from: Edited, mine: Draft): Promise<void> => {
    setProblem(null);
    const before = draftOf(timed(from.value));
    const body = { ...bodyOfChange(mine, before), ...bodyOf({ ...said, closed: mine.closed }) };
    const outcome = await propose({
      title: words.say('edit.of', { name: event.name }),
      confirm: words.say('edit.confirm'),
      done: words.say('edited', { name: mine.name }),
      inForm: true,
      call: () =>
        clientOf(business).call('PATCH /events/{id}', {
          params: { id: event.id },
          body,
          ...(from.etag && { ifMatch: from.etag }),
          fields: EDITED,
        }),
    });
    if (!outcome.made) {
      const now = outcome.problem?.code === 'version_mismatch' ? await readAgain() : undefined;
      if (!now) return setProblem(outcome.problem);
      const theirs = draftOf(timed(now.value));
      const merged = mergeDrafts(before, mine, theirs);
      setOpened(now);
      setDraft(merged.draft);
      setMerge({ theirs, conflicts: merged.conflicts });
      // Nothing is left to decide.
      if (merged.conflicts.length === 0) await submit(now, merged.draft);
      return;
    }
    for (const operation of ['GET /events', 'GET /events/{id}'])
      void queries.invalidateQueries({ queryKey: [business, operation] });
    onClose();
  };
  return (
    <Form
      draft={draft}
      places={places}
      problem={problem}
      isNew={false}
      onChange={setDraft}
      onSubmit={() => void submit(opened, draft)}
    >
      {merge ? (
        <ConflictList
          conflicts={merge.conflicts.map((name) => ({
            name,
            label: labelOf(name),
            mine: inWords(draft, name, places),
            theirs: inWords(merge.theirs, name, places),
          }))}
          onSettle={(names, whose) => {
            const { theirs, conflicts } = merge;
            if (whose === 'theirs')
              setDraft({ ...draft, ...Object.fromEntries(names.map((name) => [name, theirs[name as keyof Draft]])) });
            setMerge({ theirs, conflicts: conflicts.filter((name) => !names.includes(name)) });
          }}
        />
      ) : null}
      {event.series === null ? null : (
        <ReachField value={said.reach} onChange={(reach) => setSaid({ ...said, reach })} />
      )}
      {hasPeople(event) ? <NotifyFields value={said} onChange={(more) => setSaid({ ...said, ...more })} /> : null}
    </Form>
  );
}

interface FormProps {
  readonly draft: Draft;
  readonly places: Places;
  readonly problem: Problem | null;
  readonly isNew: boolean;
  readonly onChange: (draft: Draft) => void;
  readonly onSubmit: () => void;
  /** additional fields, and buttons */
  readonly children?: React.ReactNode;
}

function Form({ draft, places, problem, isNew, onChange, onSubmit, children }: FormProps) {
  const { fields, rest } = errorsOf(problem);
  return (
    <form
      className="event-form"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {rest ? (
        <p className="notice wrong" role="alert">
          {rest}
        </p>
      ) : null}
      <Fields
        draft={draft}
        places={places}
        errors={fields}
        isNew={isNew}
        onChange={(change) => onChange({ ...draft, ...change })}
      />
      {problem?.code === 'venue_closed' || draft.closed ? (
        <Check
          label={words.say('closed.anyway')}
          checked={draft.closed}
          onChange={(closed) => onChange({ ...draft, closed })}
        />
      ) : null}
      {isNew ? null : children}
      <div className="actions">
        <button type="submit" className="button">
          {words.say(isNew ? 'create.button' : 'edit.confirm')}
        </button>
        {isNew ? children : null}
      </div>
    </form>
  );
}
