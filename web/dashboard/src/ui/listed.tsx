/** A paginated list: its entries, a text for the empty list, and a button for more. */
import type { ReactNode } from 'react';
import { Failed, Loading } from './states.tsx';
import { ui } from './words.ts';

export interface ListedProps<T> {
  /** as returned by `usePages` */
  readonly list: {
    readonly data:
      | { readonly pages: readonly { readonly count: number; readonly results: readonly T[] }[] }
      | undefined;
    readonly error: Error | null;
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => unknown;
    readonly refetch: () => unknown;
  };
  /** shown if the list is empty */
  readonly none: string;
  readonly children: (all: readonly T[]) => ReactNode;
}

export function Listed<T>({ list, none, children }: ListedProps<T>) {
  if (list.error && !list.data) return <Failed error={list.error} again={() => void list.refetch()} />;
  if (!list.data) return <Loading />;
  const all = list.data.pages.flatMap(({ results }) => results);
  if (all.length === 0) return <p className="soft">{none}</p>;
  return (
    <>
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
    </>
  );
}
