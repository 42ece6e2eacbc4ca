/**
 * Keeps the marks of one person at one business in the browser until the interface has recorded them, and sends them as
 * soon as it is reachable. They outlive the tab. Only ids and the displayed names are stored.
 */
import { Refused } from 'rollcall-sdk';
import { clientOf } from '../../../app/client.ts';
import { queries } from '../../../app/calls.ts';
import { dismiss, parse, put, type Mark, type Queue, type Status } from './queue.ts';
import { sendAll, type Outcome } from './send.ts';

/** Cached pages of attendances. */
interface Rosters {
  readonly pages?: readonly { readonly results: readonly { readonly id: number; readonly status?: string }[] }[];
}

const FIRST_WAIT_MS = 2000;
const LONGEST_WAIT_MS = 30_000;

export class Keeper {
  readonly #name: string;
  readonly #business: number;
  readonly #listeners = new Set<() => void>();
  /** the queue as last read, so that an unchanged queue is the same object */
  #known: { readonly text: string | null; readonly queue: Queue } = { text: null, queue: parse(null) };
  #again: ReturnType<typeof setTimeout> | undefined;
  #wait = FIRST_WAIT_MS;
  #sending = false;
  #lost = false;

  /** `staff`: marks are sent in the name of the person who made them, never of another who logs in later */
  constructor(business: number, staff: number) {
    this.#business = business;
    this.#name = `rollcall.door.${business}.${staff}`;
    addEventListener('storage', ({ key }) => {
      if (key === this.#name) this.#tell();
    });
    addEventListener('online', () => this.send());
    this.send();
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Returns true if the last attempt did not reach the service. */
  lost = (): boolean => this.#lost;

  queue = (): Queue => {
    const text = localStorage.getItem(this.#name);
    if (text !== this.#known.text) this.#known = { text, queue: parse(text) };
    return this.#known.queue;
  };

  /** Adds a mark. Returns false if too many are waiting already. */
  mark({ attendance, event, name, status }: Pick<Mark, 'attendance' | 'event' | 'name' | 'status'>): boolean {
    const made = { attendance, event, name, status };
    const after = put(this.queue(), { ...made, key: crypto.randomUUID(), at: Date.now() });
    if (!after) return false;
    this.#put(after);
    this.send();
    return true;
  }

  dismiss(key: string): void {
    this.#put(dismiss(this.queue(), key));
  }

  /** Sends the waiting marks. Only one tab of the browser sends at a time. */
  send(): void {
    clearTimeout(this.#again);
    if (this.#sending || this.queue().waiting.length === 0) return;
    this.#sending = true;
    void navigator.locks
      .request(this.#name, () =>
        sendAll({ read: this.queue, change: (how) => this.#put(how(this.queue())), send: (mark) => this.#tried(mark) }),
      )
      .catch(() => false)
      .then((all) => {
        this.#sending = false;
        this.#lost = !all;
        this.#tell();
        this.#wait = all ? FIRST_WAIT_MS : Math.min(this.#wait * 2, LONGEST_WAIT_MS);
        void queries.invalidateQueries({ predicate: this.#isRoster });
        // A mark may have been added since the last read.
        if (this.queue().waiting.length > 0) this.#again = setTimeout(() => this.send(), all ? 0 : this.#wait);
      });
  }

  async #tried({ key, attendance, status }: Mark): Promise<Outcome> {
    if (!navigator.onLine) return { kind: 'lost' };
    try {
      await clientOf(this.#business).call('PATCH /attendances/{id}', {
        params: { id: attendance },
        body: { status },
        fields: ['id'],
        idempotencyKey: key,
      });
      await this.#show(attendance, status);
      return { kind: 'arrived' };
    } catch (error) {
      // A temporary failure, such as too many requests, is not a verdict on the mark.
      if (!(error instanceof Refused) || error.status === 429 || error.status >= 500 || error.status === 401)
        return { kind: 'lost' };
      const { code, message } = error.problem;
      return { kind: 'refused', code, message };
    }
  }

  readonly #isRoster = ({ queryKey: [of, operation] }: { readonly queryKey: readonly unknown[] }): boolean =>
    of === this.#business && operation === 'GET /attendances';

  /** Updates the cache until the next read: nothing flickers, and no earlier response overwrites the mark. */
  async #show(attendance: number, status: Status): Promise<void> {
    await queries.cancelQueries({
      predicate: (query) => this.#isRoster(query) && query.state.data !== undefined,
    });
    queries.setQueriesData<Rosters>({ predicate: this.#isRoster }, (known) =>
      known?.pages
        ? {
            ...known,
            pages: known.pages.map((page) => ({
              ...page,
              results: page.results.map((one) => (one.id === attendance ? { ...one, status } : one)),
            })),
          }
        : known,
    );
  }

  #put(queue: Queue): void {
    if (queue.waiting.length + queue.refused.length === 0) localStorage.removeItem(this.#name);
    else localStorage.setItem(this.#name, JSON.stringify(queue));
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

const keepers = new Map<string, Keeper>();

/** Returns the keeper of a person and business; there is one as long as the tab is open. */
export function getKeeper(business: number, staff: number): Keeper {
  const name = `${business} ${staff}`;
  let keeper = keepers.get(name);
  if (!keeper) keepers.set(name, (keeper = new Keeper(business, staff)));
  return keeper;
}
