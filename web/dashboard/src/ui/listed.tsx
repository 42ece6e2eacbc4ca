/**
 * A paginated list: its entries, a button for more, and its empty state, which says what is missing and has the buttons
 * of the next step. Above a list that isn't empty, `NextSteps` shows the same buttons.
 */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Failed, Loading } from './states.tsx';
import { Kept } from './kept.tsx';
import { may, useBusiness } from '../app/business.ts';
import { ui } from './words.ts';

/** A button for super admins and people with any of these permissions: an action, or a link within the business. */
export type NextStep = {
  readonly label: string;
  readonly needs: readonly string[];
  /** not the main action of the screen */
  readonly second?: boolean;
} & ({ readonly act: () => void } | { readonly to: string });

function Steps({ next }: { readonly next: readonly NextStep[] }) {
  const business = useBusiness();
  return next
    .filter(({ needs }) => may(business, ...needs))
    .map(({ label, second, ...way }) =>
      'to' in way ? (
        <Link key={label} className={second ? 'second' : 'button'} to={`/${business.id}/${way.to}` as string}>
          {label}
        </Link>
      ) : (
        <button key={label} type="button" className={second ? 'second' : undefined} onClick={way.act}>
          {label}
        </button>
      ),
    );
}

/** The empty state of a list. */
export function None({ text, next = [] }: { readonly text: string; readonly next?: readonly NextStep[] }) {
  return (
    <div className="none">
      <p className="soft">{text}</p>
      {next.length > 0 ? (
        <div className="actions">
          <Steps next={next} />
        </div>
      ) : null}
    </div>
  );
}

interface Pages<T> {
  readonly pages: readonly { readonly count: number; readonly results: readonly T[] }[];
}

export interface NextStepsProps {
  readonly list: { readonly data: Pages<unknown> | undefined; readonly isPlaceholderData: boolean };
  readonly next: readonly NextStep[];
}

/** The buttons of the next step above a list. An empty list has them itself. */
export function NextSteps({ list, next }: NextStepsProps) {
  const isEmpty = !list.isPlaceholderData && list.data?.pages.every(({ results }) => results.length === 0);
  return isEmpty ? null : <Steps next={next} />;
}

export interface ListedProps<T> {
  /** as returned by `usePages` */
  readonly list: {
    readonly data: Pages<T> | undefined;
    readonly error: Error | null;
    /** true while the data are those of an earlier question */
    readonly isPlaceholderData: boolean;
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => unknown;
    readonly refetch: () => unknown;
  };
  /** shown if the list is empty */
  readonly none: string;
  /** what people can do about it; empty: nothing */
  readonly next: readonly NextStep[];
  readonly children: (all: readonly T[]) => ReactNode;
}

export function Listed<T>({ list, none, next, children }: ListedProps<T>) {
  if (list.error && !list.data) return <Failed error={list.error} again={() => void list.refetch()} />;
  if (!list.data) return <Loading />;
  const all = list.data.pages.flatMap(({ results }) => results);
  if (all.length === 0) return list.isPlaceholderData ? <Loading /> : <None text={none} next={next} />;
  return (
    <Kept read={list}>
      {children(all)}
      {list.error ? <Failed error={list.error} again={() => void list.fetchNextPage()} /> : null}
      {list.hasNextPage && !list.error ? (
        <p>
          <button
            type="button"
            className="second"
            disabled={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            {ui.say('more')}
          </button>
        </p>
      ) : null}
    </Kept>
  );
}
