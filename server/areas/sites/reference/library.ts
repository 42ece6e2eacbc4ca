/** The documents of docs/ as pages: the list of them, their URLs, and the targets of their links. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DOCS } from './addresses.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/** Folders with documents, and the URLs of their pages. */
const FOLDERS = {
  'docs/guide': `${DOCS}/guide`,
  'docs/guide/move-in': `${DOCS}/guide/move-in`,
  docs: `${DOCS}/guide`,
  'docs/algorithms': `${DOCS}/algorithms`,
  'docs/design': `${DOCS}/design`,
  'docs/adr': `${DOCS}/adr`,
} as const;

/** Documents elsewhere, by their URLs; the list of changes is part of its page. */
const OTHERS: Readonly<Record<string, string>> = {
  'docs/model/README.md': `${DOCS}/guide/model`,
  'sdk/README.md': `${DOCS}/guide/sdk`,
};
const CHANGELOG = 'CHANGELOG.md';

export class Article {
  readonly file: string;
  readonly address: string;
  #text: string | undefined;

  constructor(file: string, address: string) {
    this.file = file;
    this.address = address;
  }

  /** Markdown; read on first use. */
  get text(): string {
    return (this.#text ??= readFileSync(join(ROOT, this.file), 'utf8'));
  }

  get isThere(): boolean {
    return existsSync(join(ROOT, this.file));
  }

  get title(): string {
    return /^# (.+)$/m.exec(this.text)?.[1].replaceAll('`', '') ?? basename(this.file, '.md');
  }
}

export class Library {
  /** Sorted by file. */
  readonly articles: readonly Article[];
  readonly changelog = new Article(CHANGELOG, `${DOCS}/changes`);
  readonly #addresses: ReadonlyMap<string, string>;

  constructor() {
    const inFolders = Object.entries(FOLDERS).flatMap(([folder, address]) =>
      names(folder).map((name) => new Article(`${folder}/${name}`, `${address}/${basename(name, '.md')}`)),
    );
    this.articles = [
      ...inFolders,
      ...Object.entries(OTHERS)
        .map(([file, address]) => new Article(file, address))
        .filter(({ isThere }) => isThere),
    ];
    this.#addresses = new Map([...this.articles, this.changelog].map(({ file, address }) => [file, address]));
  }

  /** Returns the documents whose pages are below a URL. */
  below(address: string): Article[] {
    return this.articles.filter((one) => dirname(one.address) === address);
  }

  /** Returns the title of the document that a link refers to as a whole; null if it is none, or a place inside one. */
  titleOf(link: string, from: Article): string | null {
    const file = normalize(join(dirname(from.file), link));
    return this.articles.find((one) => one.file === file)?.title ?? null;
  }

  /** Returns the target of a link in a document; null for files that are not served, such as a source file. */
  addressOf(link: string, from: Article): string | null {
    if (/^https?:\/\//.test(link) || link.startsWith('#')) return link;
    const [path, anchor] = link.split('#');
    const address = this.#addresses.get(normalize(join(dirname(from.file), path)));
    if (address === undefined) return null;
    return anchor === undefined ? address : `${address}#${anchor}`;
  }
}

/** Returns none if the documents were not installed. */
function names(folder: string): string[] {
  try {
    return readdirSync(join(ROOT, folder))
      .filter((name) => name.endsWith('.md') && name !== 'README.md')
      .toSorted();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
