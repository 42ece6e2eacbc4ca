/**
 * Hashes and verifies passwords with argon2id, a few at a time: each takes 19 MiB, and a flood must not exhaust the
 * memory.
 */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';

const derive = promisify(argon2);

interface Cost {
  /** KiB */
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane. */
const COST: Cost = { memory: 19 * 1024, passes: 2, parallelism: 1 };
const TAG_BYTES = 32;

/** More than this at a time would only wait for each other in Node's four threads for such work. */
const MAX_THREADS = 4;
const MAX_WAITING = 64;

/** So many passwords are waiting that another would wait too long. */
export class TooManyPasswords extends Error {
  override name = 'TooManyPasswords';
}

const text = (b: Buffer) => b.toString('base64').replace(/=+$/, '');

const phc = (cost: Cost, nonce: Buffer, tag: Buffer): string =>
  `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${text(nonce)}$${text(tag)}`;

interface Parsed extends Cost {
  readonly nonce: Buffer;
  readonly tag: Buffer;
}

function parse(hash: string): Parsed | null {
  const found = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/.exec(hash);
  if (!found) return null;
  const [, memory, passes, parallelism, nonce, tag] = found;
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    nonce: Buffer.from(nonce, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
}

/** Returns true if checking the hash costs no more than one of ours: an imported hash sets its own cost. */
export function hasUsualCost(hash: string): boolean {
  const found = hash.length <= 200 ? parse(hash) : null;
  return (
    found !== null &&
    found.passes >= 1 &&
    found.passes <= COST.passes &&
    found.parallelism === COST.parallelism &&
    found.memory >= 8 &&
    found.memory <= COST.memory &&
    found.nonce.length >= 8 &&
    found.nonce.length <= 64 &&
    found.tag.length >= 16 &&
    found.tag.length <= 64
  );
}

const tagOf = (
  password: string,
  { memory, passes, parallelism }: Cost,
  nonce: Buffer,
  tagLength: number,
): Promise<Buffer> => derive('argon2id', { message: password, nonce, memory, passes, parallelism, tagLength });

export class PasswordHasher {
  readonly #most: number;
  readonly #mostWaiting: number;
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  /** Placeholder hash for an account that does not exist: checking it costs the same as a real one. */
  readonly #nobody: Parsed = { ...COST, nonce: randomBytes(16), tag: randomBytes(TAG_BYTES) };

  constructor({
    most = Math.min(availableParallelism(), MAX_THREADS),
    mostWaiting = MAX_WAITING,
  }: { most?: number; mostWaiting?: number } = {}) {
    this.#most = most;
    this.#mostWaiting = mostWaiting;
  }

  /**
   * Hashes a password.
   * @throws TooManyPasswords
   */
  hash(password: string): Promise<string> {
    const nonce = randomBytes(16);
    return this.#inTurn(async () => phc(COST, nonce, await tagOf(password, COST, nonce, TAG_BYTES)));
  }

  /**
   * Verifies a password. `hash` null: there is no hash; takes as long, and returns false. `outdated`: the password
   * should be hashed again.
   * @throws TooManyPasswords
   */
  async verify(password: string, hash: string | null): Promise<{ right: boolean; outdated: boolean }> {
    const known = (hash === null ? null : parse(hash)) ?? this.#nobody;
    const tag = await this.#inTurn(() => tagOf(password, known, known.nonce, known.tag.length));
    const right = timingSafeEqual(tag, known.tag) && known !== this.#nobody;
    return {
      right,
      outdated:
        right &&
        (known.memory !== COST.memory || known.passes !== COST.passes || known.parallelism !== COST.parallelism),
    };
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#most) {
      if (this.#waiting.length >= this.#mostWaiting) throw new TooManyPasswords('too many passwords are being checked');
      await new Promise<void>((go) => this.#waiting.push(go));
    } else {
      this.#running += 1;
    }
    try {
      return await work();
    } finally {
      // The place is handed over directly, so that nobody else can take it in between.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}
