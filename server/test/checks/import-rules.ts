/**
 * Rules for which file may import which. A change that needs another direction has to change this list, visibly for
 * everybody. Type imports count: a file depends on everything it refers to.
 */
export interface ImportRule {
  readonly name: string;
  readonly why: string;
  /**
   * `areas` in their order; `from` and `to` are paths from the root, `to` a package name or `node:…` if it is not ours;
   * `bare`: the module is only loaded, as in `import './effects.ts'`
   */
  readonly forbids: (from: string, to: string, areas: readonly string[], bare: boolean) => boolean;
}

/** Returns true if the file is not part of the service: tests, and files that only tests need. */
export const isTest = (path: string): boolean =>
  path.endsWith('.test.ts') ||
  path.startsWith('sdk/test/') ||
  path.startsWith('server/test/') ||
  /^server\/areas\/[^/]+\/[^/]+\/(?:[^/]+\/)?test\//.test(path);
/** Returns the area of a file, such as `people/staff`. */
export const areaOf = (path: string): string | undefined => /^server\/areas\/([^/]+\/[^/]+)\//.exec(path)?.[1];
const isRule = (path: string): boolean => /^server\/areas\/[^/]+\/[^/]+\/(?:[^/]+\/)?rules\//.test(path);
const isValue = (path: string): boolean => path.startsWith('server/kernel/base/values/');

/** Floors of the kernel, the lowest first: each depends only on those before it. */
const FLOORS = ['base', 'work', 'api', 'pages'];

/** Returns the floor of a kernel file; -1 if it is not on one. */
const floorOf = (path: string): number => FLOORS.findIndex((floor) => path.startsWith(`server/kernel/${floor}/`));

/** Returns true for a file whose folder is a room: of the kernel or of the scale wing. */
export const hasRooms = (path: string): boolean => /^server\/(?:kernel|scale)\//.test(path);

/** Returns true if the file registers the scale wing: in the service, its settings or the command line. */
const registersScale = (from: string, to: string): boolean =>
  /^(?:bench|deploy)\//.test(from) ||
  (from === 'server/app.ts' && to === 'server/scale/index.ts') ||
  (/^server\/(?:config|settings)\.ts$/.test(from) && to === 'server/scale/settings.ts') ||
  (/^server\/(?:cli\.ts$|commands\/)/.test(from) && /^server\/scale\/(?:commands|doctor)\//.test(to));

/**
 * Returns true for the code that runs several processes, replicas or cells as one installation. It depends on the
 * areas.
 */
const isScale = (path: string): boolean => path.startsWith('server/scale/');

const isFromServerTo = (folder: string, from: string, to: string): boolean =>
  from.startsWith('server/') && to.startsWith(folder);

/**
 * Returns true if a page imports the client's types to call the API. These files contain only types, so nothing else
 * can be imported.
 */
const asksWithTypes = (from: string, to: string): boolean =>
  from === 'server/areas/sites/frame/ask.ts' && /^sdk\/src\/(operation|interface)\.ts$/.test(to);

const isModel = (path: string): boolean => path.startsWith('server/test/proof/model/');

const screenOf = (file: string): string | undefined => /^web\/dashboard\/src\/screens\/([^/]+)\//.exec(file)?.[1];

export const IMPORT_RULES: readonly ImportRule[] = [
  {
    name: 'kernel-knows-no-area',
    why: 'The kernel is the same whatever the business does.',
    forbids: (from, to) => from.startsWith('server/kernel/') && /^server\/(areas\/|app\.ts|cli\.ts|main\.ts)/.test(to),
  },
  {
    name: 'floors-go-down',
    why: 'The kernel has four floors, base, work, api and pages, and a file uses its own and those below.',
    forbids: (from, to) => !isTest(from) && floorOf(from) >= 0 && floorOf(to) > floorOf(from),
  },
  {
    name: 'kernel-has-floors',
    why: 'A file of the kernel stands on one of its floors: base, work, api or pages.',
    forbids: (from) => from.startsWith('server/kernel/') && floorOf(from) < 0,
  },
  {
    name: 'scale-is-a-wing',
    why: 'What is for installations of several processes, replicas or cells stands on the areas; they declare what it needs.',
    forbids: (from, to) => isScale(to) && !isScale(from) && !isTest(from) && !registersScale(from, to),
  },
  {
    name: 'values-stand-alone',
    why: 'Money and time know nothing of the service.',
    forbids: (from, to) => isValue(from) && !isTest(from) && to.startsWith('server/') && !isValue(to),
  },
  {
    name: 'rules-are-pure',
    why: 'A rule is a function of values: no database, no clock, no file.',
    forbids: (from, to) => isRule(from) && !isTest(from) && !isRule(to) && !isValue(to),
  },
  {
    name: 'areas-meet-at-their-face',
    why: 'One area uses another only through its index.ts.',
    forbids: (from, to) => {
      const [a, b] = [areaOf(from), areaOf(to)];
      return a !== undefined && b !== undefined && a !== b && !isTest(from) && to !== `server/areas/${b}/index.ts`;
    },
  },
  {
    name: 'areas-go-down',
    why: 'An area uses only those that come before it in GROUPS of server/app.ts.',
    forbids: (from, to, areas) => {
      const [a, b] = [areaOf(from), areaOf(to)];
      return a !== undefined && b !== undefined && !isTest(from) && areas.indexOf(b) > areas.indexOf(a);
    },
  },
  {
    name: 'client-stands-alone',
    why: 'The client is a package of its own, without dependencies, for programs that have no service beside them.',
    forbids: (from, to) =>
      (from.startsWith('sdk/src/') && !to.startsWith('sdk/src/')) ||
      (from.startsWith('server/') && to.startsWith('sdk/') && !asksWithTypes(from, to)),
  },
  {
    name: 'dashboard-is-a-client',
    why: 'The dashboard uses the public interface through the client; what it cannot do there, the interface lacks. Tests hold one against the other.',
    forbids: (from, to) =>
      !isTest(from) && ((from.startsWith('web/') && /^(server|bench)\//.test(to)) || isFromServerTo('web/', from, to)),
  },
  {
    name: 'model-stands-alone',
    why: 'The model says which answers of the service are right; with code of the service, it would repeat its mistakes.',
    forbids: (from, to) => isModel(from) && !isModel(to),
  },
  {
    name: 'screens-stand-alone',
    why: 'Each screen is loaded on its own; what two of them need stands beside the screens.',
    forbids: (from, to) => {
      const [a, b] = [screenOf(from), screenOf(to)];
      return a !== undefined && b !== undefined && a !== b;
    },
  },
  {
    name: 'loading-does-nothing',
    why: 'An area declares what others are to know in its index.ts, where everybody sees it.',
    forbids: (from, _to, _areas, bare) => bare && from.startsWith('server/') && !from.startsWith('server/test/'),
  },
  {
    name: 'nothing-ships-tests',
    why: 'What runs must not need what only tests have.',
    forbids: (from, to) => !isTest(from) && !/^(bench|deploy)\//.test(from) && isTest(to),
  },
];
