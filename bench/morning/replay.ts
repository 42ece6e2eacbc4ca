/**
 * Replays a morning against a server, each action at its scheduled time without waiting for earlier responses: latency
 * counts from the scheduled time, so that delays in the queue are included.
 */
import { HttpConnection, localTarget } from '../kit/http-connection.ts';
import { Latencies } from '../kit/latencies.ts';
import { prepare, type PreparedRequest } from '../kit/load.ts';
import type { Business } from './town.ts';
import type { Deed, Kind } from './plan.ts';

/** Refusals that the rules allow for each kind, besides success. */
const REFUSED: Readonly<Record<Kind, readonly string[]>> = {
  look: [],
  list: [],
  book: ['event_full'],
  cancel: [],
  come: [],
};

const CONNECTIONS = 64;
/** A server with this latency can't keep up with the morning. */
const MAX_SECONDS = 900;

export interface Played {
  readonly latencies: Readonly<Record<Kind, Latencies>>;
  /** number of actions with an expected response, by kind */
  readonly done: Readonly<Record<Kind, number>>;
  /** by code */
  readonly refused: Readonly<Record<string, number>>;
  /** unexpected responses, the first few in words */
  readonly wrong: readonly string[];
  readonly wrongs: number;
  readonly seconds: number;
  /** positions in `deeds` of bookings that were made and not cancelled */
  readonly booked: ReadonlySet<number>;
}

/** Replays the actions. `speed`: factor compared with real time */
export async function play(
  url: string,
  businesses: readonly Business[],
  deeds: readonly Deed[],
  speed: number,
): Promise<Played> {
  const target = localTarget(url);
  const connections = Array.from(
    { length: CONNECTIONS },
    () => new HttpConnection(target, { keepBodies: true, timeout: 60_000 }),
  );
  try {
    await Promise.all(connections.map((connection) => connection.open()));
    return await new Replay(target.host, businesses, deeds, speed).over(connections);
  } finally {
    for (const connection of connections) connection.close();
  }
}

class Replay {
  readonly #host: string;
  readonly #businesses: readonly Business[];
  readonly #deeds: readonly Deed[];
  readonly #speed: number;
  readonly #latencies = each(() => new Latencies());
  readonly #done = each(() => 0);
  readonly #refused: Record<string, number> = {};
  readonly #wrong: string[] = [];
  #wrongs = 0;
  readonly #booked = new Set<number>();

  constructor(host: string, businesses: readonly Business[], deeds: readonly Deed[], speed: number) {
    this.#host = host;
    this.#businesses = businesses;
    this.#deeds = deeds;
    this.#speed = speed;
  }

  over(connections: readonly HttpConnection[]): Promise<Played> {
    const begin = performance.now();
    const first = this.#deeds[0]?.at ?? 0;
    const dueAt = (i: number) => begin + ((this.#deeds[i].at - first) * 1000) / this.#speed;
    const free = [...connections];
    let next = 0;
    let under = 0;
    return new Promise((resolve, reject) => {
      const step = (): void => {
        const now = performance.now();
        if (now - begin > MAX_SECONDS * 1000) {
          clearInterval(timer);
          reject(new Error(`only ${next} of ${this.#deeds.length} deeds were done in ${MAX_SECONDS} s`));
          return;
        }
        while (free.length > 0 && next < this.#deeds.length && dueAt(next) <= now) {
          const i = next++;
          const request = this.#requestOf(i);
          // The booking to cancel was never made.
          if (!request) continue;
          const connection = free.pop()!;
          under++;
          connection.send(request, now, (outcome) => {
            under--;
            free.push(connection);
            if (outcome.error) this.#amiss(i, outcome.error.message);
            else this.#answered(i, outcome.status, outcome.body, performance.now() - dueAt(i));
            step();
          });
        }
        if (next === this.#deeds.length && under === 0) {
          clearInterval(timer);
          resolve(this.#played((performance.now() - begin) / 1000));
        }
      };
      const timer = setInterval(step, 1);
    });
  }

  #requestOf(i: number): PreparedRequest | null {
    const { kind, business: nth, person, session, of } = this.#deeds[i];
    const { slug, token, people, sessions } = this.#businesses[nth];
    const event = sessions[session];
    if (kind === 'look')
      return this.#prepared('GET', `/${slug}/timetable`, { 'accept-encoding': 'br', 'accept-language': 'en' });
    const headers = { authorization: `Bearer ${token}` };
    if (kind === 'list') {
      const fields = 'id,status,customer.first_name,customer.last_name';
      return this.#prepared('GET', `/api/v2/attendances?event=${event}&fields=${fields}&page_size=50`, headers);
    }
    if (kind === 'cancel' && !this.#booked.has(of!)) return null;
    const action = { book: 'register', cancel: 'unregister', come: 'confirm_attendance' }[kind];
    return this.#prepared('POST', `/api/v2/events/${event}/${action}`, headers, { customer: people + person });
  }

  #prepared(method: string, path: string, headers: Record<string, string>, body?: unknown): PreparedRequest {
    return prepare({ method, path, headers, body }, this.#host);
  }

  #answered(i: number, status: number, body: Buffer | null, ms: number): void {
    const { kind, of } = this.#deeds[i];
    this.#latencies[kind].add(ms);
    if (status === 200) {
      this.#done[kind]++;
      if (kind === 'book') this.#booked.add(i);
      if (kind === 'cancel') this.#booked.delete(of!);
      return;
    }
    const text = body?.toString() ?? '';
    const code = /"code":"(\w+)"/.exec(text)?.[1] ?? '';
    if (REFUSED[kind].includes(code)) {
      this.#done[kind]++;
      this.#refused[code] = (this.#refused[code] ?? 0) + 1;
    } else this.#amiss(i, `${status} ${text.slice(0, 300)}`);
  }

  #amiss(i: number, how: string): void {
    this.#wrongs++;
    if (this.#wrong.length < 5) this.#wrong.push(`${this.#deeds[i].kind}: ${how}`);
  }

  #played(seconds: number): Played {
    return {
      latencies: this.#latencies,
      done: this.#done,
      refused: this.#refused,
      wrong: this.#wrong,
      wrongs: this.#wrongs,
      seconds,
      booked: this.#booked,
    };
  }
}

const each = <T>(make: () => T): Record<Kind, T> => ({
  look: make(),
  book: make(),
  cancel: make(),
  list: make(),
  come: make(),
});
