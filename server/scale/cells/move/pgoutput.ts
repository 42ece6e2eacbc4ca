/**
 * Decodes changes in the protocol of PostgreSQL's plugin `pgoutput`, version 1. Pure: bytes in, changes out.
 * https://www.postgresql.org/docs/current/protocol-logicalrep-message-formats.html
 */

export interface Relation {
  readonly name: string;
  /** in the order of rows; `key`: columns that identify a row */
  readonly columns: readonly { readonly name: string; readonly key: boolean }[];
}

/** The text of each column's value, null, or undefined: unchanged, and too long to be sent again. */
export type Row = readonly (string | null | undefined)[];

export type Change =
  /** `at`: log position of the transaction's commit */
  | { readonly kind: 'begin'; readonly at: bigint }
  /** `end`: log position of the transaction's end */
  | { readonly kind: 'commit'; readonly end: bigint }
  | { readonly kind: 'insert'; readonly relation: Relation; readonly row: Row }
  /** `old`: the previous key, if it changed */
  | { readonly kind: 'update'; readonly relation: Relation; readonly row: Row; readonly old: Row | null }
  | { readonly kind: 'delete'; readonly relation: Relation; readonly old: Row }
  | { readonly kind: 'truncate'; readonly relations: readonly Relation[] }
  | { readonly kind: 'message'; readonly prefix: string; readonly content: string };

class Bytes {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  char = (): string => String.fromCharCode(this.#bytes[this.#at++]);
  int8 = (): number => this.#bytes[this.#at++];
  int16 = (): number => this.#bytes.readInt16BE((this.#at += 2) - 2);
  int32 = (): number => this.#bytes.readInt32BE((this.#at += 4) - 4);
  uint32 = (): number => this.#bytes.readUInt32BE((this.#at += 4) - 4);
  lsn = (): bigint => this.#bytes.readBigUInt64BE((this.#at += 8) - 8);
  text = (length: number): string => this.#bytes.toString('utf8', this.#at, (this.#at += length));
  skip = (length: number): void => void (this.#at += length);

  string(): string {
    const end = this.#bytes.indexOf(0, this.#at);
    const text = this.#bytes.toString('utf8', this.#at, end);
    this.#at = end + 1;
    return text;
  }
}

/** Decoder of one stream, which describes each table once, and then refers to it by a number. */
export class Decoder {
  readonly #relations = new Map<number, Relation>();

  /**
   * Returns a change; null for messages that don't matter here.
   * @throws Error for a message that this protocol does not have
   */
  read(message: Buffer): Change | null {
    const bytes = new Bytes(message);
    const kind = bytes.char();
    switch (kind) {
      case 'B':
        return { kind: 'begin', at: bytes.lsn() };
      case 'C':
        bytes.skip(1 + 8);
        return { kind: 'commit', end: bytes.lsn() };
      case 'R':
        this.#relations.set(bytes.uint32(), relationOf(bytes));
        return null;
      case 'I': {
        const relation = this.#relation(bytes);
        bytes.skip(1);
        return { kind: 'insert', relation, row: rowOf(bytes) };
      }
      case 'U': {
        const relation = this.#relation(bytes);
        const old = bytes.char() === 'N' ? null : rowOf(bytes);
        if (old !== null) bytes.skip(1);
        return { kind: 'update', relation, row: rowOf(bytes), old };
      }
      case 'D': {
        const relation = this.#relation(bytes);
        bytes.skip(1);
        return { kind: 'delete', relation, old: rowOf(bytes) };
      }
      case 'T': {
        const count = bytes.int32();
        bytes.skip(1);
        return { kind: 'truncate', relations: Array.from({ length: count }, () => this.#relation(bytes)) };
      }
      case 'M': {
        bytes.skip(1 + 8);
        const prefix = bytes.string();
        return { kind: 'message', prefix, content: bytes.text(bytes.int32()) };
      }
      // types, and the origin of a transaction
      case 'Y':
      case 'O':
        return null;
      default:
        throw new Error(`a change of the kind "${kind}" is not known`);
    }
  }

  #relation(bytes: Bytes): Relation {
    const relation = this.#relations.get(bytes.uint32());
    if (!relation) throw new Error('a change of a table that was not described');
    return relation;
  }
}

function relationOf(bytes: Bytes): Relation {
  bytes.string();
  const name = bytes.string();
  bytes.skip(1);
  const columns = Array.from({ length: bytes.int16() }, () => {
    const key = bytes.int8() === 1;
    const column = bytes.string();
    bytes.skip(4 + 4);
    return { name: column, key };
  });
  return { name, columns };
}

function rowOf(bytes: Bytes): Row {
  return Array.from({ length: bytes.int16() }, () => {
    const kind = bytes.char();
    if (kind === 'n') return null;
    if (kind === 'u') return undefined;
    return bytes.text(bytes.int32());
  });
}
