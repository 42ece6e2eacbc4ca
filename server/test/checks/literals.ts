/**
 * The string and template literals of a TypeScript source, found in a single pass. The check of table owners must also
 * see the contents of template holes, so literals are trees.
 */

export interface Hole {
  /** the code between the braces */
  readonly code: string;
  readonly literals: readonly Literal[];
}

export interface Literal {
  /** the code directly before it: `sql`, `raw(`, or nothing */
  readonly before: string;
  /** alternating texts and holes, starting with a text; a string has one text */
  readonly texts: readonly string[];
  readonly holes: readonly Hole[];
  /** its line in the source */
  readonly line: number;
}

const BEFORE = /(?:\b\w+|\b\w+\s*(?:<[^>]*>)?\s*\(\s*)$/;

/** After these, a slash begins a regular expression; after anything else, it divides. */
const NO_VALUE = /(?:^|[([{,;=:!&|?+\-*%<>~^]|\b(?:return|typeof|case|in|of|do|else|await|yield))\s*$/;

/** Returns all outermost literals of a source, in order. */
export function parseLiterals(source: string): Literal[] {
  return new Scanner(source).code(false);
}

class Scanner {
  readonly #source: string;
  #at = 0;
  constructor(source: string) {
    this.#source = source;
  }

  /** Reads code to the end, or to the brace that closes a hole. */
  code(inHole: boolean): Literal[] {
    const found: Literal[] = [];
    for (let depth = 0; this.#at < this.#source.length;) {
      const [char, next] = [this.#source[this.#at], this.#source[this.#at + 1]];
      if (char === '/' && next === '/') this.#skipTo('\n', 1);
      else if (char === '/' && next === '*') this.#skipTo('*/', 2);
      else if (char === '/' && NO_VALUE.test(this.#behind())) this.#regex();
      else if (char === "'" || char === '"') found.push(this.#string(char));
      else if (char === '`') found.push(this.#template());
      else {
        if (char === '{') depth += 1;
        if (char === '}' && depth-- === 0 && inHole) return found;
        this.#at += 1;
      }
    }
    return found;
  }

  #behind = (): string => this.#source.slice(Math.max(0, this.#at - 60), this.#at);

  #begin = () => ({
    before: BEFORE.exec(this.#behind())?.[0].replaceAll(/\s|<.*>/g, '') ?? '',
    line: this.#source.slice(0, this.#at).split('\n').length,
  });

  #skipTo(end: string, length: number): void {
    const at = this.#source.indexOf(end, this.#at + 1);
    this.#at = at < 0 ? this.#source.length : at + length;
  }

  #regex(): void {
    for (let inClass = false; ++this.#at < this.#source.length;) {
      const char = this.#source[this.#at];
      if (char === '\\') this.#at += 1;
      else if (char === '[') inClass = true;
      else if (char === ']') inClass = false;
      else if (char === '/' && !inClass) break;
    }
    this.#at += 1;
  }

  /** Reads one text until `ends` returns true. */
  #text(ends: () => boolean): string {
    const start = this.#at;
    while (this.#at < this.#source.length && !ends()) this.#at += this.#source[this.#at] === '\\' ? 2 : 1;
    return this.#source.slice(start, this.#at);
  }

  #string(quote: string): Literal {
    const begin = this.#begin();
    this.#at += 1;
    const text = this.#text(() => this.#source[this.#at] === quote);
    this.#at += 1;
    return { ...begin, texts: [text], holes: [] };
  }

  #template(): Literal {
    const begin = this.#begin();
    const [texts, holes]: [string[], Hole[]] = [[], []];
    this.#at += 1;
    for (;;) {
      texts.push(this.#text(() => this.#source[this.#at] === '`' || this.#source.startsWith('${', this.#at)));
      const closed = this.#source[this.#at] !== '$';
      this.#at += closed ? 1 : 2;
      if (closed) return { ...begin, texts, holes };
      const start = this.#at;
      const literals = this.code(true);
      holes.push({ code: this.#source.slice(start, this.#at).trim(), literals });
      this.#at += 1;
    }
  }
}
