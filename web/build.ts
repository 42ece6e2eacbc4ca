/** Builds the dashboard into a folder, with a compressed copy of each file next to it: `node web/build.ts FOLDER`. */
import { build, type Plugin } from 'vite';
import { fileURLToPath } from 'node:url';
import { brotliCompress, constants } from 'node:zlib';
import { promisify } from 'node:util';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parse } from '@formatjs/icu-messageformat-parser';
import lucide from '@iconify-json/lucide/icons.json' with { type: 'json' };

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const into = process.argv[2];
if (!into) throw new Error('Name the folder to build into.');

const ICON = 'icon:';

/** Bundles only the icons that are imported, each by its name: `icon:calendar`. */
const icons: Plugin = {
  name: 'icons',
  resolveId: (id) => (id.startsWith(ICON) ? `\0${id}` : null),
  load(id) {
    if (!id.startsWith(`\0${ICON}`)) return null;
    const name = id.slice(ICON.length + 1);
    const icon = (lucide.icons as Record<string, { body: string } | undefined>)[name];
    if (!icon) throw new Error(`Lucide has no icon ${name}.`);
    return `export default ${JSON.stringify(icon.body)}`;
  },
};

const TEXTS = 'texts:';
const LANGUAGES = readdirSync(here('dashboard/texts')).map((file) => file.slice(0, 2));

/**
 * Slices the texts by part: `catalogue('screens/store')` bundles the English ones of the part, and loads another
 * language when needed. Parses the messages, so that browsers need no parser.
 */
const texts: Plugin = {
  name: 'texts',
  enforce: 'pre',
  resolveId: (id) => (id.startsWith(TEXTS) ? `\0${id}` : null),
  transform(code, id) {
    const part = id.includes('/dashboard/src/') && /\bcatalogue\('([\w/]+)'\)/.exec(code)?.[1];
    if (!part) return null;
    const others = LANGUAGES.filter((one) => one !== 'en').map(
      (one) => `${one}: () => import('${TEXTS}${part}:${one}').then((texts) => texts.default)`,
    );
    const given = `catalogue('${part}', englishTexts, { ${others.join(', ')} })`;
    return {
      code: `${code.replace(`catalogue('${part}')`, given)}\nimport englishTexts from '${TEXTS}${part}:en';`,
      map: null,
    };
  },
  load(id) {
    if (!id.startsWith(`\0${TEXTS}`)) return null;
    const [, part, language] = id.split(':');
    const all = JSON.parse(readFileSync(here(`dashboard/texts/${language}.json`), 'utf8')) as Record<
      string,
      Record<string, string>
    >;
    if (!all[part!]) throw new Error(`texts/${language}.json has no part ${part}.`);
    const parsed = Object.entries(all[part!]!).map(([key, text]) => [
      key,
      /['{]/.test(text) ? parse(text, { ignoreTag: true, captureLocation: false }) : text,
    ]);
    return { code: `export default ${JSON.stringify(Object.fromEntries(parsed))}`, moduleType: 'js' };
  },
};

/** Reports progress to the parent process: milliseconds since the process began, and its peak memory. */
const tell = (done: 'built' | 'packed'): void =>
  void process.send?.({ done, ms: performance.now(), megabytes: process.resourceUsage().maxRSS / 1024 });

await build({
  configFile: false,
  root: here('dashboard'),
  base: '/dashboard/',
  publicDir: false,
  logLevel: 'warn',
  plugins: [icons, texts],
  resolve: {
    alias: {
      'rollcall-sdk': here('../sdk/src/index.ts'),
      '@formatjs/icu-messageformat-parser': '@formatjs/icu-messageformat-parser/no-parser.js',
    },
  },
  oxc: { jsx: { runtime: 'automatic' } },
  build: {
    outDir: into,
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // Lists the files that each screen loads.
    manifest: true,
    rollupOptions: {
      // Directives are for servers that render React; all of this runs in the browser.
      onwarn: (warning, say) => warning.code === 'MODULE_LEVEL_DIRECTIVE' || say(warning),
      output: {
        // Short hashes: the shell lists the names of all files, and hashes don't compress.
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        // Code that every page needs is one file: split by the screens that share it, it would become many files that
        // are too small to compress well.
        codeSplitting: {
          groups: [
            {
              name: 'around',
              test: /dashboard\/src\/(app\/(address|amount-ways|business|calls|client|customers|deferred|session|workplaces)|changes\/change|shell\/(keys|words)|ui\/(icon|states|toasts|words)|words\/(catalogue|language))\.tsx?$/,
            },
          ],
        },
      },
    },
  },
});

tell('built');

const pack = promisify(brotliCompress);
await Promise.all(
  readdirSync(`${into}/assets`).map(async (name) => {
    const file = `${into}/assets/${name}`;
    const packed = await pack(readFileSync(file), { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
    writeFileSync(`${file}.br`, packed);
  }),
);

tell('packed');
process.disconnect?.();
