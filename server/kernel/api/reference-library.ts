/** The documents of docs/ as pages: which there are, where they are served, and where their links lead. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DOCS } from './reference-addresses.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Folders with documents, and where their pages are. */
const FOLDERS = {
  'docs/guide': `${DOCS}/guide`,
  docs: `${DOCS}/guide`,
  'docs/algorithms': `${DOCS}/algorithms`,
  'docs/design': `${DOCS}/design`,
  'docs/adr': `${DOCS}/adr`,
} as const;

/** Documents that are elsewhere, by their addresses; the list of changes is a part of its page. */
const OTHERS: Readonly<Record<string, string>> = { 'sdk/README.md': `${DOCS}/guide/sdk` };
const CHANGELOG = 'CHANGELOG.md';

export class Article {
  readonly file: string;
  readonly address: string;
  #text: string | undefined;

  constructor(file: string, address: string) {
    this.file = file;
    this.address = address;
  }

  /** Markdown; read when it is first needed. */
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
  /** In the order of their files. */
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

  /** Those whose pages are below an address. */
  below(address: string): Article[] {
    return this.articles.filter((one) => dirname(one.address) === address);
  }

  /** The document that a link leads to as a whole; null: it is none, or a place in one. */
  titleOf(link: string, from: Article): string | null {
    const file = normalize(join(dirname(from.file), link));
    return this.articles.find((one) => one.file === file)?.title ?? null;
  }

  /** Where a link of a document leads; null: to something that is not served, such as a source file. */
  addressOf(link: string, from: Article): string | null {
    if (/^https?:\/\//.test(link) || link.startsWith('#')) return link;
    const [path, anchor] = link.split('#');
    const address = this.#addresses.get(normalize(join(dirname(from.file), path)));
    if (address === undefined) return null;
    return anchor === undefined ? address : `${address}#${anchor}`;
  }
}

/** None where the documents were not installed. */
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
