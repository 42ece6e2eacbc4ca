export function ensureHome(env?: NodeJS.ProcessEnv, find?: () => string): void;
